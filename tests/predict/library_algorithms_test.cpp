// SPDX-License-Identifier: BSD-3-Clause
// The table of MPI libraries' algorithms: names, parameters and ranks.
#include <gtest/gtest.h>

#include "predict/choice/choice.hpp"

namespace alltold {
namespace {

TEST(LibraryAlgorithms, AreReadAndPrintedByName) {
    for (const auto& row : library_algorithms()) {
        auto text = "mpi." + std::string(row.name);
        if (row.segment != Algorithm::Use::no)
            text += " segment=8KiB";
        if (row.window != Algorithm::Use::no)
            text += " window=3";
        const auto choice = parse_choice(text);
        ASSERT_TRUE(choice) << text;
        EXPECT_EQ(choice->algorithm, nullptr);
        EXPECT_FALSE(choice->is_default());
        EXPECT_EQ(choice->library, row.name);
        EXPECT_EQ(text_of(*choice), text);
        const auto found = find_library_algorithm(row.library, row.collective, choice->library);
        ASSERT_TRUE(found) << text;
        EXPECT_EQ(*found, &row) << "two rows of one name";
    }
    const auto own = parse_choice("mpi");
    ASSERT_TRUE(own);
    EXPECT_TRUE(own->is_default());
}

TEST(LibraryAlgorithms, AreKnownByTheLibrarysVersion) {
    EXPECT_EQ(library_named("Open MPI v4.1.4, package: Debian OpenMPI"), MpiLibrary::open_mpi);
    EXPECT_EQ(library_named("MPICH Version:\t4.0.2"), MpiLibrary::mpich);
    EXPECT_EQ(library_named("Intel(R) MPI Library 2021.9"), MpiLibrary::other);
}

TEST(LibraryAlgorithms, OfAnotherLibraryOrCollectiveAreRefusedWithWhatThereIs) {
    const auto refused = [](MpiLibrary library, Collective collective, const char* name) {
        const auto found = find_library_algorithm(library, collective, name);
        return found ? std::string() : found.error().message;
    };
    EXPECT_EQ(refused(MpiLibrary::open_mpi, Collective::gather, "pairwise"),
              "Open MPI has no mpi.pairwise for gather; it has mpi.basic_linear, mpi.binomial, "
              "mpi.linear_sync");
    EXPECT_NE(refused(MpiLibrary::mpich, Collective::alltoall, "linear_sync"), "");
    EXPECT_NE(refused(MpiLibrary::other, Collective::alltoall, "pairwise")
                  .find("does not let callers choose"),
              std::string::npos);
}

TEST(LibraryAlgorithms, TakeWhatTheyTakeOnRanksThatFit) {
    const auto row = [](MpiLibrary library, Collective collective, const char* name) {
        return **find_library_algorithm(library, collective, name);
    };
    const auto pipeline = row(MpiLibrary::open_mpi, Collective::bcast, "pipeline");
    EXPECT_TRUE(accepts(pipeline, 12, {8192}));
    EXPECT_FALSE(accepts(pipeline, 12, {0, 4}));
    EXPECT_FALSE(accepts(row(MpiLibrary::open_mpi, Collective::alltoall, "pairwise"), 4, {8192}));
    const auto two = row(MpiLibrary::open_mpi, Collective::alltoall, "two_proc");
    EXPECT_TRUE(accepts(two, 2, {}));
    EXPECT_FALSE(accepts(two, 3, {}));
    const auto doubling =
        row(MpiLibrary::mpich, Collective::bcast, "scatter_recursive_doubling_allgather");
    EXPECT_TRUE(accepts(doubling, 8, {}));
    EXPECT_FALSE(accepts(doubling, 12, {}));
}

} // namespace
} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// The all-to-alls of MPI Advance (its library locality_aware), the MPI library's own and alltold's,
// shuffled in one program, each right after a barrier. For bench/advance.sh, which compiles it.
//
//   mpirun ... advance CLUSTERS BYTES SECONDS CHOICE...
//
// CLUSTERS are the ranks of each cluster, such as 12+12; a CHOICE is an algorithm of alltold's.
// After untimed calls of up to 8 KiB all variants are timed in rounds, for SECONDS altogether. The
// time of a call is the longest that a rank is in it, as in `alltold run --start barrier`. As
// there, on several clusters the same call runs untimed before each timed one. Where fewer than ten
// rounds fit, variants slower than 1.5 times the fastest are dropped. Every result is compared with
// MPI_Alltoall's. Prints JSON with every time.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <mpi.h>

#include <alltold/alltold.h>
#include <locality_aware.h>

namespace {

using Bytes = std::vector<unsigned char>;

struct Variant {
    std::string name;
    std::function<int()> call;
    std::vector<double> times_s = {};
    double shortest_s = 0; // by untimed calls of up to 8 KiB until there are others
};

bool is_alltold(const Variant& variant) {
    return variant.name.rfind("alltoall.", 0) == 0;
}

[[noreturn]] void fail(const std::string& why) {
    std::fprintf(stderr, "advance: %s\n", why.c_str());
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
}

std::vector<int> cluster_sizes(const std::string& text) {
    std::vector<int> sizes;
    std::istringstream in(text);
    for (std::string size; std::getline(in, size, '+');)
        sizes.push_back(std::atoi(size.c_str()));
    return sizes;
}

struct Call {
    const Bytes& send;
    Bytes& receive;
    const int& bytes;
};

/// Each has a communicator of its own: MPI Advance keeps groups of ranks there.
void add_advance(std::vector<Variant>& variants, Call call) {
    const std::pair<const char*, AlltoallMethod> methods[] = {
        {"pairwise", ALLTOALL_PAIRWISE},
        {"nonblocking", ALLTOALL_NONBLOCKING},
        {"hierarchical_pairwise", ALLTOALL_HIERARCHICAL_PAIRWISE},
        {"hierarchical_nonblocking", ALLTOALL_HIERARCHICAL_NONBLOCKING},
        {"multileader_pairwise", ALLTOALL_MULTILEADER_PAIRWISE},
        {"multileader_nonblocking", ALLTOALL_MULTILEADER_NONBLOCKING},
        {"node_aware_pairwise", ALLTOALL_NODE_AWARE_PAIRWISE},
        {"node_aware_nonblocking", ALLTOALL_NODE_AWARE_NONBLOCKING},
        {"locality_aware_pairwise", ALLTOALL_LOCALITY_AWARE_PAIRWISE},
        {"locality_aware_nonblocking", ALLTOALL_LOCALITY_AWARE_NONBLOCKING},
        {"multileader_locality_pairwise", ALLTOALL_MULTILEADER_LOCALITY_PAIRWISE},
        {"multileader_locality_nonblocking", ALLTOALL_MULTILEADER_LOCALITY_NONBLOCKING},
    };
    for (const auto& [name, method] : methods) {
        MPIL_Comm* comm = nullptr;
        MPIL_Comm_init(&comm, MPI_COMM_WORLD);
        variants.push_back({std::string("advance.") + name, [call, comm, method = method] {
                                MPIL_Set_alltoall_algorithm(method);
                                return MPIL_Alltoall(call.send.data(), call.bytes, MPI_BYTE,
                                                     call.receive.data(), call.bytes, MPI_BYTE,
                                                     comm);
                            }});
    }
}

void add_alltold(std::vector<Variant>& variants, Call call, const std::string& choice,
                 const std::vector<int>& clusters) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (alltold_set_clusters(comm, static_cast<int>(clusters.size()), clusters.data()) !=
            MPI_SUCCESS ||
        alltold_set_algorithm(comm, choice.c_str()) != MPI_SUCCESS)
        fail(choice + ": " + alltold_last_error());
    variants.push_back({choice, [call, comm] {
                            return alltold_alltoall(call.send.data(), call.bytes, MPI_BYTE,
                                                    call.receive.data(), call.bytes, MPI_BYTE,
                                                    comm);
                        }});
}

/// Rank 0 decides what runs next.
class Rounds {
  public:
    Rounds(std::vector<Variant>& variants, double seconds, int calls_each)
        : variants_(variants), calls_each_(calls_each), end_s_(MPI_Wtime() + seconds) {}

    /// The number of a variant, or -1 at the end.
    int next() {
        if (round_.empty() && !begin())
            return -1;
        const int variant = round_.back();
        round_.pop_back();
        return MPI_Wtime() + cost_s(variant) > end_s_ ? -1 : variant;
    }

  private:
    bool begin() {
        double all_s = 0, fastest_s = 1e9;
        for (int i = 0; i < static_cast<int>(variants_.size()); ++i) {
            all_s += cost_s(i);
            fastest_s = std::min(fastest_s, variants_[static_cast<std::size_t>(i)].shortest_s);
        }
        const bool enough = begun_++ >= 10 || MPI_Wtime() + 10 * all_s < end_s_;
        for (int i = 0; i < static_cast<int>(variants_.size()); ++i)
            if (const auto& each = variants_[static_cast<std::size_t>(i)];
                enough || each.shortest_s <= 1.5 * fastest_s || each.name == "mpi")
                round_.push_back(i);
        std::shuffle(round_.begin(), round_.end(), random_);
        return !round_.empty();
    }

    double cost_s(int variant) const {
        return calls_each_ * variants_[static_cast<std::size_t>(variant)].shortest_s;
    }

    std::vector<Variant>& variants_;
    int calls_each_;
    double end_s_;
    int begun_ = 0;
    std::vector<int> round_;
    std::mt19937 random_{std::random_device{}()};
};

/// On rank 0 the longest time of a rank.
double longest_time(const Variant& variant) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double began_s = MPI_Wtime();
    const int code = variant.call();
    const double took_s = MPI_Wtime() - began_s;
    if (code != MPI_SUCCESS)
        fail(variant.name + " failed");
    double longest_s = 0;
    MPI_Reduce(&took_s, &longest_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return longest_s;
}

double checked_call(const Variant& variant, const Bytes& expected, Bytes& receive) {
    std::fill(receive.begin(), receive.end(), static_cast<unsigned char>(0));
    const double longest_s = longest_time(variant);
    if (receive != expected)
        fail(variant.name + ": wrong bytes");
    return longest_s;
}

void print(const std::vector<Variant>& variants, int bytes) {
    std::printf("{\"size_bytes\": %d, \"results\": [", bytes);
    const char* separator = "";
    for (const auto& variant : variants) {
        std::printf("%s\n {\"name\": \"%s\", \"times_s\": [", separator, variant.name.c_str());
        for (std::size_t i = 0; i < variant.times_s.size(); ++i)
            std::printf("%s%.9f", i ? ", " : "", variant.times_s[i]);
        std::printf("]}");
        separator = ",";
    }
    std::printf("]}\n");
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc < 4)
        fail("usage: advance CLUSTERS BYTES SECONDS CHOICE...");
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto clusters = cluster_sizes(argv[1]);
    int bytes = std::atoi(argv[2]);
    const int untimed = clusters.size() > 1 ? 1 : 0;

    const auto all = static_cast<std::size_t>(bytes) * static_cast<std::size_t>(ranks);
    Bytes send(all), expected(all), receive(all);
    std::mt19937 random(static_cast<unsigned>(rank) + 1);
    for (auto& byte : send)
        byte = static_cast<unsigned char>(random() % 255 + 1);
    PMPI_Alltoall(send.data(), bytes, MPI_BYTE, expected.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);

    const Call call{send, receive, bytes};
    std::vector<Variant> variants;
    variants.push_back({"mpi", [call] {
                            return PMPI_Alltoall(call.send.data(), call.bytes, MPI_BYTE,
                                                 call.receive.data(), call.bytes, MPI_BYTE,
                                                 MPI_COMM_WORLD);
                        }});
    add_advance(variants, call);
    for (int i = 4; i < argc; ++i)
        add_alltold(variants, call, argv[i], clusters);

    const double seconds = std::atof(argv[3]);
    Rounds rounds(variants, seconds, 1 + untimed);
    // Connections and groups of ranks are made in calls of few bytes, alltold's schedules before
    // the first call of a size.
    const int asked = bytes;
    bytes = std::min(asked, 64);
    for (const auto& variant : variants)
        longest_time(variant);
    bytes = asked;
    for (const auto& variant : variants)
        if (is_alltold(variant))
            checked_call(variant, expected, receive);
    bytes = std::min(asked, 8192);
    for (int pass = 0; pass < 2; ++pass)
        for (auto& variant : variants) {
            const double took_s = longest_time(variant) * asked / bytes;
            variant.shortest_s = pass == 0 ? took_s : std::min(took_s, variant.shortest_s);
        }
    bytes = asked;
    for (;;) {
        int next = rank == 0 ? rounds.next() : 0;
        MPI_Bcast(&next, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (next < 0)
            break;
        auto& variant = variants[static_cast<std::size_t>(next)];
        if (untimed)
            checked_call(variant, expected, receive);
        const double took_s = checked_call(variant, expected, receive);
        variant.shortest_s =
            variant.times_s.empty() ? took_s : std::min(took_s, variant.shortest_s);
        variant.times_s.push_back(took_s);
    }
    if (rank == 0)
        print(variants, bytes);
    MPI_Finalize();
    return 0;
}

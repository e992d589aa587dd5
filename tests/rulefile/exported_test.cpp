// SPDX-License-Identifier: BSD-3-Clause
// Exported files say what the rules say, as their libraries read them, and have none of the traps.
#include <map>
#include <sstream>

#include "findings.hpp"
#include "predict/rules/rule.hpp"
#include "rulefile/exported.hpp"
#include "rulefile/openmpi_table.hpp"

namespace alltold::rulefile::test {
namespace {

constexpr const char* rules_text = "alltoall:-4KiB:n=4-6 = mpi\n"
                                   "alltoall:4KiB-:n=4-6 = mpi.pairwise\n"
                                   "alltoall:any:n=8-9 = mpi.modified_bruck\n"
                                   "bcast:64KiB-1MiB:n=6-9 = mpi.pipeline segment=8KiB\n"
                                   "bcast:1MiB-:n=6-9 = mpi.pipeline segment=64KiB\n"
                                   "scatter:any:n=5 = mpi.binomial\n"
                                   "gather:4KiB-:n=5 = mpi.binomial\n"
                                   "allgather:-4KiB:n=4-6 = mpi.bruck\n"
                                   "allgather:4KiB-:n=4-6 = mpi.ring\n"
                                   "allreduce:64KiB-:n=2-12 = mpi.segmented_ring segment=8KiB\n"
                                   "reduce:4KiB-1MiB:n=5 = mpi.binomial segment=1KiB\n"
                                   "reduce_scatter_block:4KiB-:n=6 = mpi.butterfly\n"
                                   "exscan:any:n=5 = mpi.recursive_doubling\n"
                                   "barrier:any:n=4-9 = mpi.bruck\n"
                                   "scan:64KiB-:n=5 = mpi.recursive_doubling\n";
constexpr int most_ranks = 12;

/// Rules as users write them, but with the library's algorithms, which no program can select.
std::vector<Rule> rules_of(const std::string& text) {
    std::vector<Rule> rules;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const auto split = line.find(" = ");
        const auto parsed = parse_rules(line.substr(0, split) + " = mpi", "test");
        const auto choice = parse_choice(std::string_view(line).substr(split + 3));
        EXPECT_TRUE(parsed && choice) << line;
        if (parsed && choice) {
            rules.push_back(parsed->front());
            rules.back().choice = *choice;
        }
    }
    return rules;
}

Exported export_of(const char* text, const Clusters& hosts, const std::string& target) {
    return exported(rules_of(text), hosts, *parse_target(target), most_ranks);
}

/// Reads as Open MPI 4.1 does: the greatest communicator size, then the greatest key.
class ClassicReader {
  public:
    explicit ClassicReader(const std::string& text) {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line.substr(0, line.find('#')));
            for (long number = 0; words >> number;)
                numbers_.push_back(number);
        }
        const long collectives = next();
        for (long i = 0; i < collectives; ++i)
            read_collective();
        EXPECT_EQ(at_, numbers_.size());
    }

    /// Algorithm and segment.
    std::pair<long, long> at(long collective, long ranks, long key) const {
        const auto found = rules_.find(collective);
        if (found == rules_.end())
            return {};
        auto best = found->second.begin();
        for (auto entry = best; entry != found->second.end() && entry->first <= ranks; ++entry)
            best = entry;
        std::pair<long, long> result;
        for (const auto& [size, rule] : best->second)
            if (size <= key)
                result = rule;
        return result;
    }

  private:
    long next() { return numbers_.at(at_++); }

    void read_collective() {
        auto& entries = rules_[next()];
        for (long count = next(); count > 0; --count) {
            const long ranks = next();
            for (long rules = next(); rules > 0; --rules) {
                const long size = next(), algorithm = next();
                next();
                entries[ranks][size] = {algorithm, next()};
            }
        }
    }

    std::vector<long> numbers_;
    std::size_t at_ = 0;
    std::map<long, std::map<long, std::map<long, std::pair<long, long>>>> rules_;
};

/// The algorithm's number and segment that the rules give a call; 0 where they leave it open.
std::pair<long, long> wanted(const std::vector<Rule>& rules, Collective collective, int ranks,
                             std::uint64_t size_bytes) {
    for (const auto& rule : rules)
        if (rule.covers(collective, size_bytes, {ranks, 1}) && !rule.choice.is_default())
            return {(*find_library_algorithm(MpiLibrary::open_mpi, collective, rule.choice.library))
                        ->number,
                    static_cast<long>(rule.choice.parameters.segment_bytes)};
    return {};
}

TEST(Exported, ClassicFileSaysWhatTheRulesSay) {
    const auto text = openmpi_classic(export_of(rules_text, Clusters({12}), "openmpi-4.1"));
    const ClassicReader reader(text);
    auto rules = rules_of(rules_text);
    std::erase_if(rules, [](const Rule& rule) {
        return rule.collective == Collective::gather || rule.collective == Collective::scan;
    });
    for (const auto collective : uniform_collectives) {
        const auto& row = *openmpi_collective(name_of(collective));
        for (int ranks = 2; ranks <= 2 * most_ranks; ++ranks)
            for (const std::uint64_t size : {0, 1, 4095, 4096, 65535, 65536, 1048575, 1048576})
                EXPECT_EQ(reader.at(row.id, ranks,
                                    static_cast<long>(size) * (row.times_ranks ? ranks : 1)),
                          wanted(rules, collective, ranks, size))
                    << name_of(collective) << " " << ranks << " " << size << "\n"
                    << text;
    }
}

TEST(Exported, FilesHaveNoTraps) {
    for (const auto* target :
         {"openmpi-4.1", "openmpi-5.0", "openmpi-6.0", "mpich-4.0", "mpich-4.3"}) {
        const bool mpich = std::string(target).starts_with("mpich");
        const auto* rules = mpich ? "alltoall:4KiB-1MiB:n=4-6 = mpi.pairwise\n"
                                    "alltoall:-4KiB:n=9 = mpi.brucks\n"
                                    "bcast:64KiB-:n=3-8 = mpi.binomial\n"
                                  : rules_text;
        const auto parsed = *parse_target(target);
        expect_clean(text_of(export_of(rules, Clusters({12}), target), parsed), target);
        expect_clean(text_of(export_of("", Clusters({12}), target), parsed),
                     mpich ? target : "openmpi");
    }
}

TEST(Exported, JsonKeysAreBytesTimesRanks) {
    const auto text = openmpi_json(export_of(rules_text, Clusters({12}), "openmpi-6.0"));
    EXPECT_NE(text.find(R"({"comm_size_min": 5, "comm_size_max": 5, "rules": [
        {"msg_size_min": 20480, "alg": "pairwise"}]})"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(R"({"msg_size_min": 65536, "msg_size_max": 1048575, "alg": "pipeline", )"
                        R"("seg_size": 8192})"),
              std::string::npos)
        << text;
}

TEST(Exported, WhereSizesDoNotCountOneAlgorithmRunsAtAllOfThem) {
    const auto made = export_of(rules_text, Clusters({12}), "openmpi-4.1");
    int scatters = 0;
    for (const auto& band : made.bands) {
        EXPECT_NE(band.collective, Collective::gather);
        EXPECT_NE(band.collective, Collective::scan);
        scatters += band.collective == Collective::scatter;
    }
    EXPECT_EQ(scatters, 1);
    ASSERT_EQ(made.notes.size(), 2u);
    EXPECT_NE(made.notes[0].find("gather: ranks may see different sizes"), std::string::npos);
    EXPECT_NE(made.notes[1].find("scan: rules are looked up by the size of one element"),
              std::string::npos);
}

TEST(Exported, OneClusterOrSeveralMustAgree) {
    const auto* rules = "alltoall:any:n=4-6:one cluster = mpi.pairwise\n"
                        "alltoall:any:n=4:clusters=2 = mpi.pairwise\n"
                        "alltoall:any:n=5:clusters=2 = mpi.linear\n"
                        "alltoall:any:n=7-8:clusters=2 = mpi.linear\n";
    const auto made = export_of(rules, Clusters({6, 6}), "openmpi-4.1");
    ASSERT_EQ(made.bands.size(), 2u);
    EXPECT_EQ(made.bands[0].from_ranks, 4);
    EXPECT_EQ(made.bands[0].to_ranks, 4);
    // More ranks than one cluster has hosts lie in several.
    EXPECT_EQ(made.bands[1].from_ranks, 7);
    EXPECT_EQ(made.bands[1].to_ranks, 8);
    EXPECT_EQ(made.notes.size(), 1u);
}

TEST(Exported, WindowsNeedVersion6) {
    const auto* rules = "alltoall:any:n=4 = mpi.linear_sync window=8\n";
    EXPECT_TRUE(export_of(rules, Clusters({12}), "openmpi-5.0").bands.empty());
    const auto text = openmpi_json(export_of(rules, Clusters({12}), "openmpi-6.0"));
    EXPECT_NE(text.find("\"reqs\": 8"), std::string::npos) << text;
}

TEST(Exported, MpichTreeKeepsWhatIsBuiltInElsewhere) {
    const auto* rules = "alltoall:4KiB-:n=4-6 = mpi.pairwise\n";
    const auto target = *parse_target("mpich-4.0");
    const auto made = mpich_json(export_of(rules, Clusters({12}), "mpich-4.0"), target);
    const auto band = made.find("\"comm_size<=6\": {");
    ASSERT_NE(band, std::string::npos) << made;
    EXPECT_NE(made.find("\"comm_size<=3\": {"), std::string::npos);
    EXPECT_NE(made.find("\"avg_msg_size<=4095\": {\n", band), std::string::npos) << made;
    const auto pairwise =
        made.find("\"avg_msg_size=any\": {\n            \"algorithm=MPIR_Alltoall_"
                  "intra_pairwise\": {}",
                  band);
    EXPECT_NE(pairwise, std::string::npos) << made;
    // All other collectives as before.
    const auto before = mpich_json({}, target);
    EXPECT_EQ(made.substr(0, made.find("\"collective=alltoall\"")),
              before.substr(0, before.find("\"collective=alltoall\"")));
    EXPECT_EQ(made.substr(made.find("\"collective=alltoallv\"")),
              before.substr(before.find("\"collective=alltoallv\"")));
}

TEST(Exported, SettingsOfEachVersion) {
    const Exported nothing;
    const auto han = [&](const char* target) {
        for (const auto& [name, value] : settings_for(nothing, *parse_target(target), "/f"))
            if (name == "OMPI_MCA_coll_han_priority")
                return value;
        return std::string();
    };
    EXPECT_EQ(han("openmpi-4.1"), "");
    EXPECT_EQ(han("openmpi-5.0"), "0");
    EXPECT_EQ(han("openmpi-6.0"), "0");
    EXPECT_EQ(settings_for(nothing, *parse_target("mpich-4.0"), "/f")[0].value, "/f");
}

TEST(Target, FromTheLibrarysOwnWords) {
    EXPECT_EQ(target_of("Open MPI v4.1.4, package: Debian OpenMPI").text(), "openmpi-4.1.4");
    EXPECT_EQ(target_of("MPICH Version:\t4.0.2").text(), "mpich-4.0.2");
    EXPECT_EQ(target_of("Intel(R) MPI Library 2021.9").library, MpiLibrary::other);
    for (const auto* wrong : {"", "openmpi4", "openmpi-", "mpich-x", "lam-7.1", "openmpi-4.",
                              "openmpi-4.1.4.2", "openmpi--0.01", "mpich-4.-0"})
        EXPECT_FALSE(parse_target(wrong)) << wrong;
}

} // namespace
} // namespace alltold::rulefile::test

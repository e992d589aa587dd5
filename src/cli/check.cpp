// SPDX-License-Identifier: BSD-3-Clause
// alltold check: proves the schedules of all algorithms correct, without MPI.
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "cli/subcommand.hpp"
#include "core/text.hpp"
#include "schedule/algorithms/proof.hpp"

namespace alltold::cli {
namespace {

struct Options {
    ProofExtent extent;
    std::string algorithm;
    bool json = false;
};

/// How the proof of one algorithm went.
struct Outcome {
    const Algorithm* algorithm = nullptr;
    long cases = 0;
    long faults = 0;
    std::string first_fault;
};

/// Runs the proofs on all processors and shows progress.
class Prover {
  public:
    Prover(std::span<const Algorithm* const> algorithms, const ProofExtent& extent)
        : extent_(extent), outcomes_(algorithms.size()) {
        for (std::size_t i = 0; i < algorithms.size(); ++i) {
            outcomes_[i].algorithm = algorithms[i];
            for (const auto& share : proof_of(*algorithms[i], extent))
                shares_.push_back({share, &outcomes_[i]});
        }
        // Large shares first, so that no processor starts a long one at the end.
        std::ranges::stable_sort(shares_, std::greater(),
                                 [](const Job& job) { return job.share.number; });
    }

    std::vector<Outcome> run() && {
        {
            std::vector<std::jthread> workers;
            for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
                workers.emplace_back([this] { work(); });
        }
        if (shows_progress_)
            say("\r\033[K");
        return std::move(outcomes_);
    }

  private:
    struct Job {
        ProofShare share;
        Outcome* outcome;
    };

    void work() {
        for (auto i = next_++; i < shares_.size(); i = next_++) {
            const auto& [share, outcome] = shares_[i];
            Outcome part;
            for (const auto& one : cases_of(share, extent_)) {
                ++part.cases;
                if (const auto fault = prove(*share.algorithm, one); fault && part.faults++ == 0)
                    part.first_fault =
                        fmt::format("{} {}: {}", share.algorithm->name, one.text(), fault->text());
            }
            record(part, *outcome);
        }
    }

    void record(const Outcome& part, Outcome& outcome) {
        const std::lock_guard guard(mutex_);
        outcome.cases += part.cases;
        if (outcome.faults == 0)
            outcome.first_fault = part.first_fault;
        outcome.faults += part.faults;
        const auto percent = 100 * ++shares_done_ / shares_.size();
        if (shows_progress_ && percent != shown_percent_) {
            say(fmt::format("\rproving {} algorithms: {} %", outcomes_.size(), percent));
            shown_percent_ = percent;
        }
    }

    ProofExtent extent_;
    std::vector<Outcome> outcomes_;
    std::vector<Job> shares_;
    std::atomic<std::size_t> next_ = 0;
    std::mutex mutex_;
    std::size_t shares_done_ = 0, shown_percent_ = 101;
    bool shows_progress_ = isatty(STDERR_FILENO) != 0;
};

void print_text(const std::vector<Outcome>& outcomes, double time_s) {
    long cases = 0, faults = 0;
    std::size_t columns = 0;
    for (const auto& outcome : outcomes)
        columns = std::max(columns, outcome.algorithm->name.size());
    for (const auto& outcome : outcomes) {
        fmt::print("{:{}} {:>8} calls  {}\n", outcome.algorithm->name, columns, outcome.cases,
                   outcome.faults == 0 ? "proved" : fmt::format("{} WRONG", outcome.faults));
        if (outcome.faults != 0)
            fmt::print("    {}\n", outcome.first_fault);
        cases += outcome.cases;
        faults += outcome.faults;
    }
    fmt::print("{} calls of {} algorithms, {} wrong, in {:.1f} s\n", cases, outcomes.size(), faults,
               time_s);
}

void print_json(const std::vector<Outcome>& outcomes, const ProofExtent& extent, double time_s) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto& outcome : outcomes) {
        nlohmann::ordered_json row{{"algorithm", outcome.algorithm->name},
                                   {"calls", outcome.cases},
                                   {"wrong", outcome.faults}};
        if (outcome.faults != 0)
            row["first_fault"] = outcome.first_fault;
        rows.push_back(std::move(row));
    }
    const nlohmann::ordered_json all{{"max_ranks", extent.max_ranks},
                                     {"max_cluster", extent.max_cluster},
                                     {"time_s", time_s},
                                     {"algorithms", std::move(rows)}};
    fmt::print("{}\n", all.dump(2));
}

Result<ExitStatus> check_all(const Options& options) {
    std::vector<const Algorithm*> chosen(registry().begin(), registry().end());
    if (!options.algorithm.empty()) {
        ALLTOLD_TRY(found, find_algorithm(options.algorithm));
        chosen = {*found};
    }
    const auto start = std::chrono::steady_clock::now();
    const auto outcomes = Prover(chosen, options.extent).run();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    if (options.json)
        print_json(outcomes, options.extent, time.count());
    else
        print_text(outcomes, time.count());
    const bool all_good = std::ranges::count(outcomes, 0, &Outcome::faults) == std::ssize(outcomes);
    return all_good ? ExitStatus::done : ExitStatus::no;
}

} // namespace

void declare_check(CLI::App& app, Action& chosen) {
    auto& subcommand =
        add_subcommand(app, "check", "Proves that every algorithm is correct; needs no MPI",
                       "alltold check --max-ranks 33");
    subcommand.footer("Covers all rank counts, roots, pairs of clusters and placements of ranks on "
                      "hosts up to a limit.");
    const auto options = std::make_shared<Options>();
    subcommand
        .add_option("--max-ranks", options->extent.max_ranks, "largest number of ranks to prove")
        ->capture_default_str()
        ->check(CLI::Range(1, 256));
    subcommand
        .add_option("--max-cluster", options->extent.max_cluster,
                    "largest cluster size; all pairs up to it are proved")
        ->capture_default_str()
        ->check(CLI::Range(1, 128));
    subcommand
        .add_option("--matrices", options->extent.matrices,
                    "random all-to-all-v matrices per algorithm")
        ->capture_default_str()
        ->check(CLI::Range(0, 1'000'000));
    subcommand.add_option("--algorithm", options->algorithm,
                          "prove only this one, such as alltoall.lg (default: all)");
    subcommand.add_flag("--json", options->json, "print JSON");
    subcommand.callback([&chosen, options] { chosen = [options] { return check_all(*options); }; });
}

} // namespace alltold::cli

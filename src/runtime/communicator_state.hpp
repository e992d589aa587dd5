// SPDX-License-Identifier: BSD-3-Clause
// What we keep for each of the caller's communicators: a private one, the choices, cached programs.
#pragma once

#include <array>
#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <mpi.h>

#include "predict/choice_table.hpp"
#include "runtime/call.hpp"
#include "runtime/choice.hpp"
#include "runtime/execute/execution.hpp"
#include "runtime/recipe.hpp"
#include "runtime/repeat.hpp"
#include "runtime/rule_sources.hpp"

namespace alltold {

/// Hangs on the caller's communicator as an attribute and goes away with it. Not thread-safe: MPI
/// forbids two collectives at once on one communicator anyway.
class Communicator {
  public:
    /// The one of `comm`, made at the first call (then collective). Null, with `code` set, when it
    /// cannot be: intercommunicators give MPI_ERR_COMM.
    static Communicator* of(MPI_Comm comm, int& code);
    ~Communicator() = default;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    const Caller& caller() const { return caller_; }
    /// Carries our traffic and nothing else; errors are returned.
    MPI_Comm channel() const { return channel_; }
    /// The same for the library's own collectives: its ranks are the caller's.
    MPI_Comm plain() const { return plain_; }

    /// Runs `choice` from now on for what it can carry out. Fails, changing nothing, when it
    /// cannot.
    Status choose(const Choice& choice);
    /// Runs the library's own of every collective from now on.
    void choose_library();
    /// Runs from now on what the rules of the environment say, the library's own where they say
    /// nothing. Collective. Fails as rules_of_environment does, alike on all ranks, changing
    /// nothing.
    Status choose_by_rules(int& code);
    /// What runs for blocks of `size_bytes` (0 for an all-to-all-v): a function of what all ranks
    /// know.
    const Choice& choice_of(Collective collective, std::uint64_t size_bytes) const {
        const auto& entry = choices_[static_cast<std::size_t>(collective)];
        return entry.by_rules ? entry.table.at(size_bytes) : entry.choice;
    }
    /// Whether the library's own may be the choice for some size.
    bool may_run_library(Collective collective) const {
        const auto& entry = choices_[static_cast<std::size_t>(collective)];
        return entry.by_rules || !entry.choice.algorithm;
    }
    /// Takes the cluster of every rank, any numbers; collective. Returns an MPI error code.
    int set_clusters(const std::vector<int>& cluster_of);
    /// order()[i] is the caller's rank that is rank i of schedules and of the channel; empty when
    /// ranks are the caller's.
    std::span<const int> order() const { return order_; }

    /// The program for calls of this shape, from the cache or made. Fails as Recipe::program_for
    /// does. It stays in the cache until the next call; keep a copy of the pointer for longer.
    Result<const std::shared_ptr<const Program>*> program_for(const Shape& shape);
    /// How calls of this shape, for which an algorithm of ours is chosen, are carried out now.
    Recipe recipe_for(const Shape& shape) const;
    /// What ranks tell each other before a call of this shape; null when nothing. Fails where
    /// Recipe::talk_before does.
    Result<std::shared_ptr<const Talk>> talk_before(const Shape& shape);
    /// Calls in a loop; empty again after choose() and set_clusters().
    Repeats& repeats() { return repeats_; }
    /// The first of the tags that belong to the next call, the same on every rank.
    int take_tags();

    /// For blocking calls: an execution and scratch memory that are used again and again.
    Execution& idle_execution() { return idle_; }
    std::byte* idle_scratch(std::size_t size_bytes);

  private:
    struct Cached {
        Shape shape;
        std::shared_ptr<const Program> program;
    };

    /// What the caller chose for one collective.
    struct Chosen {
        Choice choice;
        bool by_rules = false;
        ChoiceTable table; ///< what the rules say here
    };

    Communicator(MPI_Comm comm, MPI_Comm channel);
    static Communicator* find_or_make(MPI_Comm comm, int& code);
    static int forget(MPI_Comm comm, int keyval, void* state, void* extra);
    static int keyval(int& code);
    void choose_for(Collective collective, const Choice& choice);
    void make_tables();
    void forget_programs();
    const std::shared_ptr<const Program>* find(const Shape& shape);
    Parameters parameters_of(const Choice& choice) const;

    Caller caller_;
    MPI_Comm plain_ = MPI_COMM_NULL;
    MPI_Comm channel_ = MPI_COMM_NULL; ///< plain_ while ranks are the caller's
    int tags_per_call_ = 0;
    int next_slot_ = 0;
    std::array<Chosen, 5> choices_; ///< by Collective
    std::shared_ptr<const RuleSources> rules_;
    std::optional<Clusters> clusters_; ///< of the ranks in order()
    std::vector<int> order_;
    std::list<Cached> cache_;          ///< used last first
    std::shared_ptr<const Talk> talk_; ///< before all-to-all-v; null until one needs it
    Repeats repeats_;
    Execution idle_;
    std::unique_ptr<std::byte[]> scratch_;
    std::size_t scratch_size_ = 0;
};

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Breaking any single operation of any algorithm turns the checker red.
#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "proof.hpp"
#include "schedule/builder.hpp"
#include "schedule/check.hpp"

using namespace alltold;

namespace {

enum class Tags { kept, renumbered };

/// `schedule` written down again: `edit` appends what is to stand for operation `step`, given its
/// edges in the new numbering, and returns the step that later ones are to wait for.
using Edit = std::function<Step(Builder&, Step step, Operation, std::vector<Step> after)>;

Schedule rewritten(const Schedule& schedule, Tags tags, const Edit& edit) {
    Builder builder;
    builder.scratch(schedule.scratch_bytes());
    std::vector<Step> now;
    for (Step step = 0; step < schedule.size(); ++step) {
        std::vector<Step> after;
        for (const auto earlier : schedule.after(step))
            after.push_back(now[static_cast<std::size_t>(earlier)]);
        auto operation = schedule[step];
        if (tags == Tags::renumbered)
            operation.tag = -1;
        now.push_back(edit(builder, step, operation, std::move(after)));
    }
    return std::move(builder).finish();
}

struct Mutant {
    std::string name;
    Schedule schedule;
};

Schedule with_operation(const Schedule& schedule, Step at, const Operation& replacement) {
    return rewritten(schedule, Tags::kept, [&](Builder& b, Step step, Operation op, auto after) {
        return b.append(step == at ? replacement : op, after);
    });
}

void add_drops(const Schedule& schedule, Step at, std::vector<Mutant>& mutants) {
    for (const auto tags : {Tags::kept, Tags::renumbered})
        mutants.push_back({"drop", rewritten(schedule, tags,
                                             [&](Builder& b, Step step, Operation op, auto after) {
                                                 return step == at ? no_step : b.append(op, after);
                                             })});
}

void add_duplicates(const Schedule& schedule, Step at, std::vector<Mutant>& mutants) {
    for (const auto tags : {Tags::kept, Tags::renumbered})
        for (const bool in_a_row : {false, true})
            mutants.push_back(
                {in_a_row ? "repeat" : "duplicate",
                 rewritten(schedule, tags, [&](Builder& b, Step step, Operation op, auto after) {
                     const auto first = b.append(op, after);
                     if (step != at)
                         return first;
                     if (!in_a_row)
                         return b.append(op, after), first;
                     return b.append(op, std::array{first});
                 })});
}

void add_redirections(const Schedule& schedule, Step at, int rank, int ranks,
                      std::vector<Mutant>& mutants) {
    const auto& original = schedule[at];
    auto operation = original;
    const auto add = [&](const char* name) {
        mutants.push_back({name, with_operation(schedule, at, operation)});
        operation = original;
    };
    if (operation.is_message())
        for (int peer = 0; peer < ranks; ++peer) {
            operation.peer = peer;
            if (peer != original.peer && peer != rank)
                add("redirect");
        }
    const auto move = [&](Region Operation::*region, const char* name) {
        const auto& here = original.*region;
        if (here.size_bytes == 0)
            return;
        for (const std::int64_t by : {-std::int64_t(here.size_bytes), std::int64_t{-1},
                                      std::int64_t{1}, std::int64_t(here.size_bytes)})
            if (by > 0 || here.offset_bytes >= static_cast<std::uint64_t>(-by)) {
                (operation.*region).offset_bytes += static_cast<std::uint64_t>(by);
                add(name);
            }
        for (const auto buffer : {Buffer::send, Buffer::receive, Buffer::scratch})
            if (buffer != here.buffer) {
                (operation.*region).buffer = buffer;
                add(name);
            }
    };
    move(&Operation::region, "move region");
    move(&Operation::target, "move target");
    if (operation.kind == Kind::combine) {
        std::swap(operation.region, operation.target);
        add("swap operands");
    }
}

/// Calls to mutate: small, but with several messages per pair, copies and windows in play.
std::vector<Case> cases_to_break(const Algorithm& algorithm) {
    const ProofExtent extent{.max_ranks = 7, .max_cluster = 5, .matrices = 20};
    std::vector<Case> chosen;
    for (const auto& share : proof_of(algorithm, extent))
        for (auto& one : cases_of(share, extent)) {
            const auto& spec = one.specification;
            const bool large = spec.ranks() == 7 && spec.root() % 3 == 1;
            const bool middle = spec.ranks() == 4 || (!algorithm.rooted() && spec.ranks() == 7);
            const bool sized = spec.size_bytes() == 13 * spec.reduction().unit_bytes;
            const auto& traits = traits_of(spec.collective());
            // Segments of a byte in a reduction of a block per rank: too many mutants.
            const bool fine = traits.reduces &&
                              traits.blocks == CollectiveTraits::Blocks::per_pair &&
                              one.parameters.segment_bytes == 1;
            if ((large || middle) && !fine && (sized || traits.per_pair || !traits.has_data))
                chosen.push_back(std::move(one));
        }
    // An algorithm with many parameters has hundreds: some spread evenly over them will do.
    constexpr std::size_t most = 30;
    std::vector<Case> thinned;
    for (std::size_t i = 0; i < std::min(most, chosen.size()); ++i)
        thinned.push_back(chosen[i * std::max(most, chosen.size()) / most]);
    return thinned;
}

class Broken : public testing::TestWithParam<const Algorithm*> {
  protected:
    /// Calls `visit(case, schedules, rank, step)` for every operation of every chosen case.
    template <typename Visit>
    void for_each_operation(Visit visit) {
        for (const auto& one : cases_to_break(*GetParam())) {
            const auto schedules = schedules_of(*GetParam(), one.specification, one.parameters);
            for (int rank = 0; rank < one.specification.ranks(); ++rank)
                for (Step step = 0; step < schedules[static_cast<std::size_t>(rank)].size(); ++step)
                    visit(one, schedules, rank, step);
        }
    }

    bool is_caught(const Case& one, std::vector<Schedule> schedules, int rank, Schedule mutant) {
        schedules[static_cast<std::size_t>(rank)] = std::move(mutant);
        return check(one.specification, schedules, limits_of(*GetParam(), one.parameters))
            .has_value();
    }
};

TEST_P(Broken, DroppedDuplicatedOrRedirectedOperationIsCaught) {
    int tried = 0;
    for_each_operation([&](const Case& one, const auto& schedules, int rank, Step step) {
        const auto& schedule = schedules[static_cast<std::size_t>(rank)];
        if (schedule[step].kind == Kind::join)
            return;
        std::vector<Mutant> mutants;
        add_drops(schedule, step, mutants);
        add_duplicates(schedule, step, mutants);
        add_redirections(schedule, step, rank, one.specification.ranks(), mutants);
        for (auto& mutant : mutants) {
            ++tried;
            EXPECT_TRUE(is_caught(one, schedules, rank, std::move(mutant.schedule)))
                << mutant.name << " survives: " << GetParam()->name << " " << one.text() << " rank "
                << rank << " step " << step;
        }
    });
    EXPECT_GT(tried, 100);
    RecordProperty("mutants", tried);
}

bool conflict(const Operation& a, const Operation& b) {
    const auto touches = [](const Operation& x, const Operation& y) {
        if (!x.is_local() && x.kind != Kind::receive)
            return false;
        for (int i = 0; i < x.rows; ++i)
            for (int j = 0; j < y.rows; ++j) {
                const auto written = x.is_local() ? x.target_row(i) : x.region;
                if (written.overlaps(y.region_row(j)) ||
                    (y.is_local() && written.overlaps(y.target_row(j))))
                    return true;
            }
        return false;
    };
    return touches(a, b) || touches(b, a);
}

TEST_P(Broken, DroppedEdgeIsCaughtWhereItMatters) {
    int mattered = 0, harmless = 0;
    for_each_operation([&](const Case& one, const auto& schedules, int rank, Step step) {
        const auto& schedule = schedules[static_cast<std::size_t>(rank)];
        for (std::size_t edge = 0; edge < schedule.after(step).size(); ++edge) {
            auto mutant =
                rewritten(schedule, Tags::kept,
                          [&](Builder& b, Step s, Operation op, std::vector<Step> after) {
                              if (s == step)
                                  after.erase(after.begin() + static_cast<std::ptrdiff_t>(edge));
                              return b.append(op, after);
                          });
            const auto earlier = schedule.after(step)[edge];
            const bool ordered = LocalOrder(mutant).is_before(earlier, step);
            const bool matters = !ordered && (schedule[earlier].kind == Kind::await ||
                                              conflict(schedule[earlier], schedule[step]) ||
                                              (GetParam()->limits && one.parameters.window > 0));
            const bool caught = is_caught(one, schedules, rank, std::move(mutant));
            ++(caught ? mattered : harmless);
            EXPECT_TRUE(caught || !matters)
                << "an edge survives: " << GetParam()->name << " " << one.text() << " rank " << rank
                << " step " << earlier << " -> " << step;
        }
    });
    fmt::print("{}: {} edges caught when dropped, {} only set the pace\n", GetParam()->name,
               mattered, harmless);
}

INSTANTIATE_TEST_SUITE_P(Registry, Broken, testing::ValuesIn(registry().begin(), registry().end()),
                         [](const auto& row) {
                             std::string name(row.param->name);
                             std::replace(name.begin(), name.end(), '.', '_');
                             return name;
                         });

} // namespace

// SPDX-License-Identifier: BSD-3-Clause
// The interface of an observer of the program's collectives: one record a call.
#pragma once

#include <cstdint>
#include <memory>

#include "predict/choice/choice.hpp"
#include "schedule/specification.hpp"

namespace alltold::preload {

/// Why a call ran as it did.
enum class Why : std::uint8_t {
    rule,      ///< a rule names one of our algorithms
    no_rule,   ///< no rule does, or one names the library's own
    trial,     ///< another than the present choice, to compare it
    sent_back, ///< the library's own, which was found to be quicker than the rule's
    not_ours,  ///< a call or communicator that alltold leaves alone, or it was told to observe
    quicker,   ///< ours, not the rule's first choice, which was found to be quicker
};

/// One finished call of a collective that we take, on an intracommunicator of at least two ranks.
struct ObservedCall {
    Collective collective = Collective::bcast;
    int ranks = 1; ///< on the communicator
    /// A block's size, as in rules; in an all-to-all-v, all that this rank sends.
    std::uint64_t size_bytes = 0;
    bool nonblocking = false;
    /// The algorithm that ran; one of ours with the parameters that its rule gives. Null algorithm:
    /// the library's. Valid during the call of observe().
    const Choice* choice = nullptr;
    Why why = Why::no_rule;
    /// On this rank; a nonblocking call's ends when it returns, without the wait.
    double duration_s = 0;
};

/// Figures that blocks of calls of one choice showed, all ranks alike (Switchback).
struct ObservedBlocks {
    Collective collective = Collective::bcast;
    int ranks = 1;
    std::uint64_t size_bytes = 0; ///< of the size class the least
    bool nonblocking = false;
    const Choice* choice = nullptr; ///< as in ObservedCall
    double calls = 0;
    double time_s = 0;  ///< wall time, whatever the program did between calls
    double saved_s = 0; ///< less than with the library's own
    double error_s = 0; ///< standard error of saved_s
};

/// Sees every call, on every rank. Calls of different threads do not overlap.
class CallObserver {
  public:
    virtual ~CallObserver() = default;
    virtual void observe(const ObservedCall& call) = 0;
    /// Once for each choice of a shape whose blocks were compared with the library's own.
    virtual void observe(const ObservedBlocks& blocks) = 0;
    /// Inside the program's MPI_Finalize, before MPI ends; collective over MPI_COMM_WORLD.
    virtual void finish() = 0;
};

/// Whether the environment asks for an observer (ALLTOLD_LOG).
bool observes();

/// Makes the observer that the environment asks for; null where it asks for none,
/// and calls then cost nothing more. Called once, inside the program's MPI_Init.
std::unique_ptr<CallObserver> observer_of_environment();

} // namespace alltold::preload

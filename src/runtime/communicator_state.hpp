// SPDX-License-Identifier: BSD-3-Clause
// State for each of the caller's communicators: a private one, the choices, cached programs.
#pragma once

#include <atomic>
#include <list>

#include "runtime/call_choices.hpp"
#include "runtime/mpi/error.hpp"
#include "runtime/open_calls.hpp"
#include "runtime/recipe.hpp"
#include "topology/places.hpp"

namespace alltold {

/// Keeps each object as an attribute of its communicator, with which MPI deletes it. `Kept` has
///   static Result<std::unique_ptr<Kept>> make(MPI_Comm comm);
///   void let_go(bool ending);
/// let_go is called before the object is deleted, and told whether MPI ends; then no communicator
/// can be freed any more.
template <typename Kept>
class CommunicatorCache {
  public:
    /// The object of `comm`, made at the first call. Fails as Kept::make and MPI do.
    static Result<Kept*> of(MPI_Comm comm) {
        // Programs call again and again on one communicator; a freed one changes the generation.
        struct Last {
            MPI_Comm comm = MPI_COMM_NULL;
            Kept* kept = nullptr;
            std::uint64_t generation = 0;
        };
        // Resolved when the library is loaded: a lookup at every call would cost more than the
        // rest.
        [[gnu::tls_model("initial-exec")]] static thread_local Last last;
        const auto now = generation_.load(std::memory_order_acquire);
        if (last.comm != comm || last.generation != now) {
            ALLTOLD_TRY(found, find_or_make(comm));
            last = {comm, *found, now};
        }
        return last.kept;
    }

    /// Deletes the object of MPI_COMM_WORLD, inside MPI_Finalize.
    static void end() {
        if (const auto key = keyval())
            PMPI_Comm_delete_attr(MPI_COMM_WORLD, *key);
    }

  private:
    static Result<Kept*> find_or_make(MPI_Comm comm) {
        ALLTOLD_TRY(key, keyval());
        void* kept = nullptr;
        int exists = 0;
        ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Comm_get_attr, comm, *key, &kept, &exists));
        if (exists)
            return static_cast<Kept*>(kept);
        ALLTOLD_TRY(made, Kept::make(comm));
        ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Comm_set_attr, comm, *key, made->get()));
        return made->release();
    }

    static Result<int> keyval() {
        static const auto once = []() -> Result<int> {
            int key = MPI_KEYVAL_INVALID;
            const auto created =
                ALLTOLD_PMPI(Comm_create_keyval, MPI_COMM_NULL_COPY_FN, &forget, &key, nullptr);
            return created ? Result<int>(key) : created.error();
        }();
        return once;
    }

    static int forget(MPI_Comm comm, int, void* attribute, void*) {
        const std::unique_ptr<Kept> kept(static_cast<Kept*>(attribute));
        generation_.fetch_add(1, std::memory_order_release);
        // MPI's own communicators go away inside MPI_Finalize, and none goes after them otherwise.
        if (comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF)
            ending_ = true;
        kept->let_go(ending_);
        return MPI_SUCCESS;
    }

    /// Grows with every communicator that is freed.
    static inline std::atomic<std::uint64_t> generation_ = 1;
    static inline bool ending_ = false;
};

/// For each regular collective the last call that worked in the caller's own memory alone, and its
/// program. A call with the same counts, types and root needs no further checks.
class Repeats {
  public:
    struct Last {
        Arguments arguments;
        std::shared_ptr<const Program> program;
        std::shared_ptr<const Reducer> reducer; ///< for reductions
    };
    /// The last call of that collective if it equals `arguments`; else null.
    const Last* find(const Arguments& arguments) const {
        const auto& last = last_[static_cast<std::size_t>(arguments.collective)];
        return last.program && alike(last.arguments, arguments) ? &last : nullptr;
    }
    void keep(Last call) {
        last_[static_cast<std::size_t>(call.arguments.collective)] = std::move(call);
    }
    void clear() { last_ = {}; }

  private:
    static bool alike(const Side& a, const Side& b) {
        return a.count == b.count && a.type == b.type && b.buffer != MPI_IN_PLACE;
    }
    static bool alike(const Arguments& a, const Arguments& b) {
        return alike(a.receive, b.receive) && alike(a.send, b.send) && a.root == b.root &&
               a.op == b.op && a.picked == b.picked;
    }

    std::array<Last, all_collectives.size()> last_; ///< by Collective
};

/// Not thread-safe: MPI forbids two collectives at once on one communicator anyway.
class CommunicatorState {
  public:
    /// The state of `comm`, made at the first call (then collective) and freed with `comm`. Fails
    /// as MPI does, and with MPI_ERR_COMM for intercommunicators.
    static Result<CommunicatorState*> of(MPI_Comm comm) {
        return CommunicatorCache<CommunicatorState>::of(comm);
    }
    /// A state that belongs to the caller; `comm` is no intercommunicator. Local. Before open() it
    /// can make choices but run nothing.
    explicit CommunicatorState(MPI_Comm comm);
    /// Makes the private communicator. Collective over `comm`, which is not needed after. Fails as
    /// MPI does.
    Status open();
    /// Opens on a communicator of the same ranks that is lent: it carries nothing else during calls
    /// and outlives this. Local. The ranks must be in the order of their places (order() empty).
    void open_on(MPI_Comm lent);
    /// Opens on communicators that others use, too: `plain` carries other collectives of the same
    /// ranks in the same order, and `channel`, which outlives this, messages of other communicators
    /// on tags that `routes`, by places, keeps apart. Local.
    void open_on(MPI_Comm plain, MPI_Comm channel, std::shared_ptr<const Routes> routes);
    /// As open(), with the places and choices that `model`, which is open and has the same ranks,
    /// has now. The open calls of both advance together.
    Status open_like(const CommunicatorState& model);
    bool is_open() const { return plain_ != MPI_COMM_NULL; }
    /// Gives up the private communicator without freeing it.
    void abandon() { plain_ = channel_ = MPI_COMM_NULL; }
    /// Frees the private communicator; not collective in effect, since no rank uses it any more.
    ~CommunicatorState();
    CommunicatorState(const CommunicatorState&) = delete;
    CommunicatorState& operator=(const CommunicatorState&) = delete;

    const Caller& caller() const { return caller_; }
    /// Carries our traffic and nothing else; errors are returned.
    MPI_Comm channel() const { return channel_; }
    /// Carries the library's own collectives: its ranks are the caller's. Errors are returned.
    MPI_Comm plain() const { return plain_; }
    /// Whether the channel is shared with other communicators.
    bool is_routed() const { return routes_ != nullptr; }

    /// As CallChoices::choose.
    Status choose(const Choice& choice, bool open);
    void choose_library();
    /// From now on follows the rules of the environment, and runs the library's own collectives
    /// where none applies. Collective. Fails as rules_of_environment does, alike on all ranks,
    /// changing nothing.
    Status choose_by_rules();
    /// Follows the given rules, without communication.
    Status choose_by_rules(std::shared_ptr<const RuleSources> rules,
                           std::shared_ptr<const Network> network);
    void use_alltoall_rules_for_alltoallv();
    const CallChoices& choices() const { return choices_; }
    /// Takes the cluster of every rank, any numbers, and keeps their hosts; collective once open,
    /// local before. Fails as MPI does.
    Status set_clusters(std::vector<int> cluster_of);
    /// As set_clusters(), with the host of every rank; of() finds hosts by itself.
    Status set_hosts(std::vector<int> host_of);
    Status set_places(Places places);
    /// order()[i] is the caller's rank that is rank i of schedules and of the channel; empty when
    /// ranks are the caller's. Ranks of a host are neighbours there, hosts of a cluster as well.
    std::span<const int> order() const { return order_; }

    /// The program for calls of this shape, from the cache or made. Fails as Recipe::program_for
    /// does. It stays in the cache until the next call; keep a copy of the pointer for longer.
    Result<const std::shared_ptr<const Program>*> program_for(const Shape& shape);
    /// How calls of this shape, for which an algorithm of ours is chosen, are carried out now.
    /// Fails as CallChoices::complete_choice does.
    Result<Recipe> recipe_for(const Shape& shape);
    /// The exchange of sizes before a call of this shape; null when there is none. Fails where
    /// Recipe::size_exchange_before does.
    Result<std::shared_ptr<const SizeExchangeProgram>> size_exchange_before(const Shape& shape);
    /// Calls in a loop; empty again after choose() and set_places().
    Repeats& repeats() { return repeats_; }
    /// The nonblocking calls in progress, which may outlive this.
    const std::shared_ptr<OpenCalls>& open_calls() const { return open_calls_; }

    /// For blocking calls: an execution and scratch memory that are used again and again.
    Execution& idle_execution() { return idle_; }
    std::byte* idle_scratch(std::size_t size_bytes);

  private:
    struct Cached {
        Shape shape;
        std::shared_ptr<const Program> program;
    };

    friend CommunicatorCache<CommunicatorState>;
    static Result<std::unique_ptr<CommunicatorState>> make(MPI_Comm comm);
    void let_go(bool ending);
    void forget_programs();
    Status renumber();
    int place() const;
    const std::shared_ptr<const Program>* find(const Shape& shape);

    Caller caller_;
    MPI_Comm plain_ = MPI_COMM_NULL;
    MPI_Comm channel_ = MPI_COMM_NULL;     ///< plain_ while ranks are the caller's
    bool lent_ = false;                    ///< both, by open_on
    std::shared_ptr<const Routes> routes_; ///< on channel_; null: its ranks are those in order()
    std::shared_ptr<OpenCalls> open_calls_;
    CallChoices choices_; ///< for the ranks in order()
    Places places_; ///< by the caller's ranks; empty: all in one cluster, each on its own host
    std::vector<int> order_;
    std::list<Cached> cache_; ///< most recently used first
    /// Before an all-to-all-v of this candidate; null until one needs it.
    std::shared_ptr<const SizeExchangeProgram> size_exchange_;
    const Choice* size_exchange_of_ = nullptr; ///< Shape::picked
    Repeats repeats_;
    Execution idle_;
    std::unique_ptr<std::byte[]> scratch_;
    std::size_t scratch_size_ = 0;
};

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/communicator_state.hpp"

#include "runtime/mpi/hosts.hpp"
#include "topology/rank_order.hpp"

namespace alltold {
namespace {

// Programs kept per communicator: enough for the call shapes of a loop, few enough to search.
constexpr std::size_t most_cached = 32;

/// The attribute hangs on MPI_COMM_WORLD alone.
int highest_tag() {
    int* limit = nullptr;
    int found = 0;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &limit, &found);
    return found ? *limit : 32767;
}

int size_of(MPI_Comm comm) {
    int size = 1;
    PMPI_Comm_size(comm, &size);
    return size;
}

/// The ranks of `like` in the order of `key`, without the caller's attributes and error handler.
Result<MPI_Comm> private_communicator(MPI_Comm like, int key) {
    MPI_Comm made = MPI_COMM_NULL;
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Comm_split, like, 0, key, &made));
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Comm_set_errhandler, made, MPI_ERRORS_RETURN));
    return made;
}

} // namespace

Result<std::unique_ptr<CommunicatorState>> CommunicatorState::make(MPI_Comm comm) {
    int is_inter = 0;
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Comm_test_inter, comm, &is_inter));
    if (is_inter)
        return mpi::argument_error(MPI_ERR_COMM, "alltold does not take intercommunicators");
    auto made = std::make_unique<CommunicatorState>(comm);
    ALLTOLD_TRY_DONE(made->open());
    auto network = network_of_environment(made->plain_);
    if (!network && network.error().code != MPI_SUCCESS) // not what the profile is like
        return network.error();
    made->choices_.set_network(std::move(network));
    ALLTOLD_TRY(hosts, mpi::hosts_of(made->plain_));
    ALLTOLD_TRY_DONE(made->set_hosts(std::move(*hosts)));
    return made;
}

void CommunicatorState::let_go(bool ending) {
    if (ending)
        abandon();
    else // nonblocking calls have messages left for the private communicator
        open_calls_->complete();
}

CommunicatorState::CommunicatorState(MPI_Comm comm)
    : open_calls_(std::make_shared<OpenCalls>(highest_tag())), choices_(size_of(comm)) {
    caller_.comm = comm;
    PMPI_Comm_rank(comm, &caller_.rank);
    caller_.size = size_of(comm);
}

CommunicatorState::~CommunicatorState() {
    if (!is_open() || lent_)
        return;
    if (channel_ != plain_)
        PMPI_Comm_free(&channel_);
    PMPI_Comm_free(&plain_);
}

Status CommunicatorState::open() {
    ALLTOLD_TRY(plain, private_communicator(caller_.comm, 0));
    // For packing it serves as well, and lives as long as we do.
    caller_.comm = plain_ = channel_ = *plain;
    if (order_.empty())
        return Done{};
    ALLTOLD_TRY_INTO(channel_, private_communicator(plain_, place()));
    return Done{};
}

void CommunicatorState::open_on(MPI_Comm lent) {
    assert(order_.empty());
    caller_.comm = plain_ = channel_ = lent;
    lent_ = true;
}

void CommunicatorState::open_on(MPI_Comm plain, MPI_Comm channel,
                                std::shared_ptr<const Routes> routes) {
    plain_ = plain;
    caller_.comm = channel_ = channel;
    lent_ = true;
    open_calls_ = std::make_shared<OpenCalls>((OpenCalls::slots + 1) * routes->tags_per_call);
    routes_ = std::move(routes);
    forget_programs();
}

Status CommunicatorState::open_like(const CommunicatorState& model) {
    choices_ = model.choices_;
    places_ = model.places_;
    order_ = model.order_;
    open_calls_ = model.open_calls_->beside();
    return open();
}

int CommunicatorState::place() const {
    return order_.empty() ? caller_.rank
                          : static_cast<int>(std::find(order_.begin(), order_.end(), caller_.rank) -
                                             order_.begin());
}

Status CommunicatorState::choose(const Choice& choice, bool open) {
    auto chosen = choices_.choose(choice, open);
    if (chosen)
        forget_programs();
    return chosen;
}

void CommunicatorState::choose_library() {
    choices_.choose_library();
    forget_programs();
}

Status CommunicatorState::choose_by_rules() {
    ALLTOLD_TRY(rules, rules_of_environment(plain_));
    auto chosen = choices_.choose_by_rules(std::move(*rules));
    if (chosen)
        forget_programs();
    return chosen;
}

Status CommunicatorState::choose_by_rules(std::shared_ptr<const RuleSources> rules,
                                          std::shared_ptr<const Network> network) {
    choices_.set_network(std::move(network));
    auto chosen = choices_.choose_by_rules(std::move(rules));
    forget_programs();
    return chosen;
}

void CommunicatorState::use_alltoall_rules_for_alltoallv() {
    forget_programs();
    choices_.use_alltoall_rules_for_alltoallv();
}

Status CommunicatorState::set_clusters(std::vector<int> cluster_of) {
    places_.cluster_of = std::move(cluster_of);
    return renumber();
}

Status CommunicatorState::set_hosts(std::vector<int> host_of) {
    places_.host_of = std::move(host_of);
    return renumber();
}

Status CommunicatorState::set_places(Places places) {
    places_ = std::move(places);
    return renumber();
}

Status CommunicatorState::renumber() {
    const auto ranks = static_cast<std::size_t>(caller_.size);
    if (places_.cluster_of.empty())
        places_.cluster_of.resize(ranks);
    auto [clusters, order] = places_.host_of.empty()
                                 ? order_by_cluster(places_.cluster_of)
                                 : order_by_host(places_.cluster_of, places_.host_of);
    choices_.set_clusters(std::move(clusters));
    forget_programs();
    if (std::is_sorted(order.begin(), order.end()))
        order.clear();
    if (order == order_)
        return Done{};
    order_ = std::move(order);
    if (!is_open())
        return Done{};
    MPI_Comm channel = plain_;
    if (!order_.empty())
        ALLTOLD_TRY_INTO(channel, private_communicator(plain_, place()));
    std::swap(channel_, channel);
    return channel == plain_ ? Done{} : ALLTOLD_PMPI(Comm_free, &channel);
}

void CommunicatorState::forget_programs() {
    cache_.clear();
    size_exchange_.reset();
    repeats_.clear();
}

Result<Recipe> CommunicatorState::recipe_for(const Shape& shape) {
    ALLTOLD_TRY(choice, choices_.complete_choice(shape.collective, shape.size_bytes, shape.root,
                                                 shape.picked));
    assert(choice->algorithm); // calls for the library's own do not come here
    return Recipe{std::move(*choice), place(), caller_.size, open_calls_->tags_per_call(), routes_};
}

Result<std::shared_ptr<const SizeExchangeProgram>>
CommunicatorState::size_exchange_before(const Shape& shape) {
    if (shape.collective != Collective::alltoallv)
        return std::shared_ptr<const SizeExchangeProgram>();
    const auto& choice =
        shape.picked ? *shape.picked : choices_.choice_of(shape.collective, shape.size_bytes);
    if (!choice.algorithm->passes_on)
        return std::shared_ptr<const SizeExchangeProgram>();
    if (!size_exchange_ || size_exchange_of_ != shape.picked) {
        ALLTOLD_TRY(recipe, recipe_for(shape));
        ALLTOLD_TRY_INTO(size_exchange_, recipe->size_exchange_before(shape));
        size_exchange_of_ = shape.picked;
    }
    return size_exchange_;
}

const std::shared_ptr<const Program>* CommunicatorState::find(const Shape& shape) {
    for (auto cached = cache_.begin(); cached != cache_.end(); ++cached) {
        if (cached->shape != shape)
            continue;
        if (cached != cache_.begin())
            cache_.splice(cache_.begin(), cache_, cached);
        return &cached->program;
    }
    return nullptr;
}

Result<const std::shared_ptr<const Program>*> CommunicatorState::program_for(const Shape& shape) {
    if (const auto* found = find(shape))
        return found;
    ALLTOLD_TRY(recipe, recipe_for(shape));
    ALLTOLD_TRY(program, recipe->program_for(shape));
    cache_.push_front({shape, std::move(*program)});
    if (cache_.size() > most_cached)
        cache_.pop_back();
    return &cache_.front().program;
}

std::byte* CommunicatorState::idle_scratch(std::size_t size_bytes) {
    if (scratch_size_ < size_bytes) {
        scratch_.reset(new std::byte[size_bytes]);
        scratch_size_ = size_bytes;
    }
    return scratch_.get();
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// The cost models: one registry row each, defined in the model's folder.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "network/network.hpp"

namespace alltold {

class Fitting;
class JsonCursor;

/// Parameters of a model as one member of a profile's JSON.
struct ParameterField {
    std::string_view key;
    nlohmann::ordered_json (*write)(const Network& network); ///< null if not known
    void (*read)(Network& network, JsonCursor at);
};

/// The networks that the simulator can run schedules on.
using Simulated = std::variant<PLogP, ClusterModel, LinkNetwork>;

/// One cost model. A new model is a file that defines models::<name>, and that name in
/// cost_model.cpp. Members that a model does not support are null or empty.
struct CostModel {
    std::string_view name;   ///< as --model takes it
    std::string_view source; ///< "SMT07 equation 5"
    std::string_view help;   ///< one line: what it predicts and knows

    std::vector<std::string_view> fitted_after = {}; ///< models whose parameters its fit reads
    void (*fit)(Fitting& fitting) = nullptr;         ///< sets parameters, or refuses them
    std::vector<ParameterField> fields = {};

    /// The parameters that the network lacks, as "alpha and beta"; empty if none.
    std::string (*lacks)(const Network& network) = nullptr;
    /// Why it does not know these clusters, or this algorithm ("mpi" for the library's all-to-all);
    /// empty if it does. Called where nothing is lacking, and with several ranks per host only if
    /// it knows_hosts. Null: it knows one cluster.
    std::string (*unfit)(const Network& network, const Clusters& clusters,
                         std::string_view algorithm) = nullptr;

    /// The library's all-to-all of n >= 1 processes within the cluster of that number, m >= 0 bytes
    /// per pair, with the 95 % interval.
    Estimate (*library_in_cluster)(const Network& network, int cluster, int n,
                                   double size_bytes) = nullptr;
    /// Likewise over all clusters.
    Result<Estimate> (*library)(const Network& network, const Clusters& clusters,
                                double size_bytes) = nullptr;
    /// Caveats of both.
    std::vector<std::string> (*library_caveats)(const Network& network, const Clusters& clusters,
                                                double size_bytes) = nullptr;

    /// How it is fitted beside the signature, if it is a model of contention.
    std::optional<ContentionModel> contention = {};

    /// The queue in front of a host's port as the model knows it, bytes; 0: not known. Null: it
    /// knows no queues.
    double (*queue_bytes)(const Network& network) = nullptr;
    /// Our algorithms simulated: first at the parameters' values, then at the ends of their
    /// intervals where they differ. `past_slow_start`: of all connections.
    std::vector<Simulated> (*simulated)(const Network& network, bool past_slow_start) = nullptr;
    /// It knows hosts with several ranks, which share their port. Others know one rank per host.
    bool knows_hosts = false;
    /// Our algorithms by an equation.
    Estimate (*algorithm)(const Network& network, const Clusters& clusters,
                          std::string_view algorithm, double size_bytes) = nullptr;
    std::string_view algorithm_caveat = {};
    /// Largest message in bytes that the model was fitted to; 0: not known.
    double (*largest_bytes)(const Network& network) = nullptr;

    bool times_library() const { return library || library_in_cluster; }
    bool times_algorithms() const { return simulated || algorithm; }
};

/// All rows, the preferred first.
std::span<const CostModel* const> cost_models();

/// The model of that name. Fails, listing the known names, for one that does not time the library's
/// all-to-all or our algorithms, respectively.
Result<const CostModel*> library_model(std::string_view name);
Result<const CostModel*> algorithm_model(std::string_view name);

/// Why `model` cannot be asked about several ranks per host, where `clusters` has such; else empty.
std::string unfit_for_hosts(const CostModel& model, const Clusters& clusters);

/// Fails (status bad_input), naming what is lacking, if `model` cannot time `algorithm` on these
/// clusters of this network.
Status check_model(const CostModel& model, const Network& network, const Clusters& clusters,
                   std::string_view algorithm);

/// The default model of the library's all-to-all on `clusters`: the first row that knows it, else
/// the last resort.
const CostModel& preferred_library_model(const Network& network, const Clusters& clusters);

/// The model that best predicts the measured calls of the algorithm's collective: those on one or
/// several clusters, and with as many ranks per host, alike, else any. Without any the first row
/// with parameters in `network` that knows the algorithm there; for blocks of `size_bytes` that
/// together would overflow a known queue of one rank's port, if they came at once, the first that
/// knows the queue. Fails, naming what is lacking.
Result<const CostModel*> preferred_model(const Network& network, const Clusters& clusters,
                                         std::string_view algorithm, double size_bytes);

/// Whether blocks of several ranks may come to one rank at once. One rank receives nothing but its
/// own block in a broadcast or scatter.
bool may_overflow(Collective collective);

/// Whether the network has the model's parameters, and a queue's size is one of them.
bool knows_queue(const CostModel& model, const Network& network);

struct NotCompared {
    std::string_view model;
    std::string reason; ///< "lacks a cluster model"
};

/// Those with the same reason together, in the order of their first model: "cluster, tw99: lacks a
/// cluster model; smt: ...".
std::string text_of(const std::vector<NotCompared>& models);

} // namespace alltold

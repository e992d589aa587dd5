// SPDX-License-Identifier: BSD-3-Clause
// The cost models: one registry row each, in the folder that holds all else of the model.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/estimate.hpp"
#include "core/result.hpp"
#include "network/network.hpp"
#include "topology/clusters.hpp"

namespace alltold {

class Fitting;
class JsonCursor;

/// Parameters of a model as one member of a profile's JSON.
struct ParameterField {
    std::string_view key;
    nlohmann::ordered_json (*write)(const Network& network); ///< null where they are not known
    void (*read)(Network& network, JsonCursor at);
};

/// What the simulator can run schedules on.
using Simulated = std::variant<PLogP, ClusterModel, LinkNetwork>;

/// One cost model. Adding one adds network/<name>/model.cpp, which defines models::<name>. What a
/// model does not do is null or empty.
struct CostModel {
    std::string_view name;   ///< as --model takes it, and its folder's
    std::string_view source; ///< "SMT07 equation 5"
    std::string_view help;   ///< one line: what it predicts and knows
    int preference = 0;      ///< of models that know a call the one with the least is the default

    std::vector<std::string_view> fitted_after = {}; ///< models whose parameters its fit reads
    void (*fit)(Fitting& fitting) = nullptr;         ///< sets parameters, or refuses them
    std::vector<ParameterField> fields = {};

    /// What the network lacks for it, as "alpha and beta"; empty if nothing.
    std::string (*lacks)(const Network& network) = nullptr;
    /// Why it does not know these clusters, or this algorithm ("mpi" for the library's all-to-all);
    /// empty if it does. Called where nothing is lacking. Null: it knows one cluster.
    std::string (*unfit)(const Network& network, const Clusters& clusters,
                         std::string_view algorithm) = nullptr;

    /// The library's all-to-all of n >= 1 processes within one cluster, m >= 0 bytes per pair, with
    /// the 95 % interval.
    Estimate (*library_in_cluster)(const Network& network, int n, double size_bytes) = nullptr;
    /// The same over all clusters.
    Result<Estimate> (*library)(const Network& network, const Clusters& clusters,
                                double size_bytes) = nullptr;
    /// What one should know before trusting either.
    std::vector<std::string> (*library_caveats)(const Network& network, const Clusters& clusters,
                                                double size_bytes) = nullptr;

    /// Our algorithms simulated: first at the parameters' values, then at the ends of their
    /// intervals where they differ. `past_slow_start`: of all connections.
    std::vector<Simulated> (*simulated)(const Network& network, bool past_slow_start) = nullptr;
    /// Our algorithms by an equation.
    Estimate (*algorithm)(const Network& network, const Clusters& clusters,
                          double size_bytes) = nullptr;
    std::string_view algorithm_caveat = {};
    /// Largest message in bytes that the model has seen; 0: not known.
    double (*largest_bytes)(const Network& network) = nullptr;

    bool times_library() const { return library || library_in_cluster; }
    bool times_algorithms() const { return simulated || algorithm; }
};

/// All rows, the preferred first.
std::span<const CostModel* const> cost_models();

/// Fails, listing the names there are, for one that does not time the library's all-to-all or our
/// algorithms, whichever is asked for.
Result<const CostModel*> library_model(std::string_view name);
Result<const CostModel*> algorithm_model(std::string_view name);

/// Fails (status bad_input), saying what is lacking, where `model` cannot time `algorithm` on these
/// clusters of this network.
Status check_model(const CostModel& model, const Network& network, const Clusters& clusters,
                   std::string_view algorithm);

/// What predicts the library's all-to-all on `clusters` unless another is asked for: the first row
/// that knows it, else the last resort.
const CostModel& preferred_library_model(const Network& network, const Clusters& clusters);

/// The model that measured calls of the algorithm's collective were predicted best with, where some
/// were measured on as many clusters (one or several). Else the first row that `network` has
/// parameters for and that knows the algorithm there. Fails, saying what is lacking.
Result<const CostModel*> preferred_model(const Network& network, const Clusters& clusters,
                                         std::string_view algorithm);

} // namespace alltold

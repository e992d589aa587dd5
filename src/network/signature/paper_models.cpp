// SPDX-License-Identifier: BSD-3-Clause
// The signature, then each row that is fitted beside it.
#include "network/signature/paper_models.hpp"

#include "network/cost_model.hpp"
#include "network/signature/signature_problem.hpp"

namespace alltold {

PaperModels fit_paper_models(const AlltoallRun& run) {
    PaperModels models{signature_of(run.fit.choose(run.excess_s, run.network.beta_s_per_byte), run),
                       {}};
    for (const auto* model : cost_models())
        if (model->contention && model->contention->fit)
            models.parameters.merge(model->contention->fit(run));
    return models;
}

PaperModels unfitted_paper_models() {
    PaperModels models;
    for (const auto* model : cost_models())
        if (model->contention)
            for (const auto& parameter : model->contention->parameters)
                models.parameters.emplace(parameter.key, Estimate::exact(parameter.unfitted));
    return models;
}

std::vector<PaperTime> paper_times_s(const PaperModels& models, const Hockney& network,
                                     const PLogP* plogp, int n, double size_bytes) {
    std::vector<PaperTime> times{
        {"signature", alltoall_time_s(network, models.signature, n, size_bytes)}};
    for (const auto* model : cost_models())
        if (model->contention && (plogp || !model->contention->needs_plogp))
            times.push_back({model->name, model->contention->time_s(models.parameters, network,
                                                                    plogp, n, size_bytes)});
    return times;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// alltold validate: compares a profile's predictions with measurements.
#include <fmt/format.h>

#include "cli/collective_options.hpp"
#include "cli/input_files.hpp"
#include "report/text_table.hpp"
#include "report/validation_table.hpp"
#include "store/json_text.hpp"
#include "store/same_network.hpp"

namespace alltold::cli {
namespace {

struct ValidateArguments {
    std::string campaign, profile;
    std::string model, ours;
    bool json = false;
};

std::vector<PointSamples> library_alltoalls(std::span<const PointSamples> measured) {
    std::vector<PointSamples> library;
    for (const auto& samples : measured)
        if (samples.point.probe == "alltoall" && samples.point.algorithm == "mpi")
            library.push_back(samples);
    return library;
}

/// The model named by the user, or the best one the profile has.
Result<const CostModel*> model_for(const std::string& name) {
    if (name.empty())
        return nullptr;
    return in_context("--model", library_model(name));
}

/// Fails for the first of the models, which may be null, that the profile has no parameters of.
Status knows(const Profile& profile, std::initializer_list<const CostModel*> models) {
    for (const auto* model : models)
        if (const auto lacking = model ? model->lacks(profile.network) : ""; !lacking.empty())
            return refused(fmt::format("lacks {}, which model {} needs", lacking, model->name));
    return Done{};
}

/// Errors of the other models of the library's all-to-all, on the same held-out points.
std::vector<std::pair<std::string, ErrorSummary>>
other_models(std::span<const PointSamples> measured, const Profile& profile,
             const CostModel* shown) {
    const auto library = library_alltoalls(measured);
    std::vector<std::pair<std::string, ErrorSummary>> errors;
    for (const auto* model : cost_models())
        if (model->times_library() && model != shown)
            if (const auto validation = validate(library, profile, model);
                validation.held_out.points > 0)
                errors.emplace_back(model->name, validation.held_out);
    return errors;
}

Result<ExitStatus> run_validate(const ValidateArguments& asked) {
    ALLTOLD_TRY(campaign, open_campaign(asked.campaign));
    ALLTOLD_TRY(profile, read_profile(asked.profile));
    const CostModel* ours = nullptr;
    if (!asked.ours.empty())
        ALLTOLD_TRY_INTO(ours, in_context("--algorithm-model", algorithm_model(asked.ours)));
    ALLTOLD_TRY(measured, campaign->points());
    ALLTOLD_TRY(here, campaign->provenance());
    ALLTOLD_TRY(model, model_for(asked.model));
    ALLTOLD_TRY_DONE(in_context(asked.profile, knows(*profile, {*model, ours})));
    auto validation = validate(*measured, *profile, *model, ours);
    ALLTOLD_TRY_DONE(in_context(asked.campaign + " and " + asked.profile, validation.compared()));
    const auto others = other_models(*measured, *profile, *model);
    if (const auto what =
            network_difference(profile->provenance, *here, {"the profile", "the campaign"});
        !what.empty())
        validation.notes.push_back("the profile describes another network: " + what);
    if (asked.json) {
        nlohmann::ordered_json json{{"campaign", asked.campaign},
                                    {"profile", asked.profile},
                                    {"model", *model ? (*model)->name : "corrected"}};
        json.update(validation_to_json(validation));
        for (const auto& [name, errors] : others)
            json["other_models"][name] = summary_to_json(errors);
        fmt::print("{}", json_text(json));
    } else {
        fmt::print("{} compared with {}\n", asked.campaign, asked.profile);
        if (!validation.points.empty())
            fmt::print("\n{}\n{}",
                       wrapped(fmt::format(
                           "The MPI library's own collectives, {}",
                           *model ? fmt::format("model {} ({})", (*model)->name, (*model)->source)
                                  : "predicted from measured calls")),
                       validation_table(validation));
        for (const auto& [name, errors] : others)
            fmt::print("{}", summary_text(errors, fmt::format("held out, {}", name)));
        if (!validation.ours.empty())
            fmt::print("\nalltold's algorithms, predicted from single messages{}\n\n{}",
                       ours || profile->network.corrections.empty() ? "" : " and other calls",
                       ours_table(validation));
        fmt::print("{}", notes_of(validation));
    }
    return ExitStatus::done;
}

} // namespace

void declare_validate(CLI::App& app, Action& chosen) {
    auto asked = std::make_shared<ValidateArguments>();
    auto& subcommand =
        add_subcommand(app, "validate",
                       "Compares predictions with measurements, mainly points not used in the fit",
                       "alltold validate net.db profile.json");
    subcommand
        .add_option("campaign", asked->campaign,
                    "campaign written by alltold measure, such as net.db")
        ->required();
    subcommand.add_option("profile", asked->profile, "profile written by alltold fit")->required();
    subcommand.add_option("--model", asked->model,
                          model_help("the library's alltoall", &CostModel::times_library));
    subcommand.add_option("--algorithm-model", asked->ours,
                          model_help("alltold's algorithms", &CostModel::times_algorithms) +
                              "; without this option, measured calls correct the predictions");
    subcommand.add_flag("--json", asked->json, "print JSON");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_validate(*asked); }; });
}

} // namespace alltold::cli

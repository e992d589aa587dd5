// SPDX-License-Identifier: BSD-3-Clause
// The page's data in its HTML template.
#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

#include "core/result.hpp"

namespace alltold {

/// Whether this build holds the template; it does not where npm or its packages were missing.
bool has_page_template();

/// One HTML document that needs no network. Fails (status environment) without a template, saying
/// how to build with one.
Result<std::string> page_html(const nlohmann::ordered_json& data);

/// Whether write_page may write this file; fails as may_replace does.
Status may_write_page(const std::filesystem::path& path);

/// Writes it to `path`, which must be new or such a page.
Status write_page(const nlohmann::ordered_json& data, const std::filesystem::path& path);

} // namespace alltold

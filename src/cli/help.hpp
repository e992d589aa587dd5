// SPDX-License-Identifier: BSD-3-Clause
// The text of --help in the width of the terminal.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace alltold::cli {

/// CLI11's help, wrapped to the terminal's width, or to page_columns if that is less or there is no
/// terminal. It starts with `example`, one or more command lines, if not empty; long ones continue
/// after a backslash.
class Help : public CLI::Formatter {
  public:
    explicit Help(std::string example = {}) : example_(std::move(example)) {}

    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override;
    const std::string& example() const { return example_; }

  private:
    std::string example_;
};

} // namespace alltold::cli

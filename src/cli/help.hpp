// SPDX-License-Identifier: BSD-3-Clause
// What --help prints, in the width of the terminal.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace alltold::cli {

/// CLI11's help in lines of at most the terminal's width, or page_columns where that is less or
/// there is no terminal. Above it `example`, one or more command lines, if there are any: what does
/// not fit goes on after a backslash.
class Help : public CLI::Formatter {
  public:
    explicit Help(std::string example = {}) : example_(std::move(example)) {}

    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override;

  private:
    std::string example_;
};

} // namespace alltold::cli

// SPDX-License-Identifier: BSD-3-Clause
// Words quoted for the shell: unquoted as POSIX says, they are the same words.
#include <string>
#include <vector>

#include "../fuzz.hpp"
#include "cli/command_output.hpp"

namespace {

/// The words of a line of single-quoted parts, escaped characters and spaces (POSIX, Shell Command
/// Language, 2.2).
std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words(1);
    for (std::size_t i = 0; i < line.size(); ++i)
        if (line[i] == '\'')
            for (++i; line.at(i) != '\''; ++i)
                words.back() += line[i];
        else if (line[i] == '\\')
            words.back() += line.at(++i);
        else if (line[i] == ' ')
            words.emplace_back();
        else
            alltold::fuzz::expect(false, "nothing is left unquoted");
    return words;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace alltold;
    std::vector<std::string> words(1);
    for (const char c : fuzz::text_of(data, size))
        if (c == '\n')
            words.emplace_back();
        else
            words.back() += c;
    fuzz::expect(words_of(cli::quoted(words)) == words, "words read back are the same");
    return 0;
}

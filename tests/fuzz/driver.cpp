// SPDX-License-Identifier: BSD-3-Clause
// Runs a fuzz target without libFuzzer: its corpus, and mutations of it that are always the same.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz.hpp"
#include "mutator.hpp"

namespace {

namespace fs = std::filesystem;

std::vector<std::string> corpus_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<std::string> corpus;
    for (const auto& path : files) {
        std::ifstream file(path, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>{});
    }
    return corpus;
}

std::string current; ///< the input under way

/// Keeps the input that ends the program.
void keep_input(int signal) {
    constexpr std::string_view name = "fuzz-input";
    std::ofstream("fuzz-input", std::ios::binary) << current;
    std::fprintf(stderr, "signal %d; the input is in ./%s\n", signal, name.data());
    std::_Exit(1);
}

void run(const std::string& text) {
    current = text;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

} // namespace

/// driver CORPUS COUNT [SEED]: the files of a folder, or one file, then COUNT mutations.
int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: %s CORPUS COUNT [SEED]\n", argv[0]);
        return 2;
    }
    for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS})
        std::signal(signal, keep_input);
    const fs::path path(argv[1]);
    std::vector<std::string> corpus;
    if (fs::is_directory(path)) {
        corpus = corpus_in(path);
    } else {
        std::ifstream file(path, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>{});
    }
    alltold::fuzz::expect(!corpus.empty(), "the corpus has files");
    for (const auto& text : corpus)
        run(text);
    const int count = std::atoi(argv[2]);
    alltold::fuzz::Mutator mutator(corpus,
                                   argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 1U);
    for (int i = 0; i < count; ++i)
        run(mutator.next());
    std::printf("%zu inputs and %d mutations\n", corpus.size(), count);
}

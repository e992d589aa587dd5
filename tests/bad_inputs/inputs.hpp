// SPDX-License-Identifier: BSD-3-Clause
// Command lines with something wrong in them or in their files, drawn from a seed.
#pragma once

#include <string>
#include <vector>

#include "../fuzz/mutator.hpp"

namespace alltold::test {

/// A command line that runs in the folder of files (Inputs::files).
struct BadCommand {
    std::vector<std::string> words;
    /// What its error may name: file, field or option.
    std::vector<std::string> names;
    /// An edited file may be as good as before.
    bool may_be_good = false;
    /// Files that it may write.
    std::vector<std::string> outputs = {};
    /// What a shell does with its streams, such as ">&-".
    std::string streams = {};
    /// A variable that has no meaning here, set to 3; empty: none.
    std::string variable = {};
};

/// Good files to begin with: their names and contents.
struct GoodFiles {
    std::string profile, store, rules, matrix, digraph;
};

class BadInputs {
  public:
    /// Writes bad files into `folder`, which has good.json, good.db and the pipe "pipe".
    BadInputs(std::string folder, GoodFiles good, unsigned seed);

    BadCommand next();

  private:
    BadCommand edited_profile();
    BadCommand edited_store();
    BadCommand edited_rows();
    BadCommand edited_rules();
    BadCommand edited_matrix();
    BadCommand wrong_option();
    BadCommand too_much();
    BadCommand wrong_output();
    BadCommand wrong_file();
    BadCommand wrong_stream();

    template <typename List>
    auto any(const List& list) {
        return list[mutator_.below(list.size())];
    }
    void write(const std::string& name, const std::string& text) const;

    std::string folder_;
    GoodFiles good_;
    std::vector<std::string> profiles_, stores_, rules_, matrices_, digraphs_;
    fuzz::Mutator mutator_, profile_edits_, store_edits_, rule_edits_, matrix_edits_,
        digraph_edits_;
};

} // namespace alltold::test

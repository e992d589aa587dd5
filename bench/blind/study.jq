# SPDX-License-Identifier: BSD-3-Clause
# Where things are in what `alltold study --json` prints.
def held_out_calls(list): [list[]? | select(.fitted | not) | {error: .error, inside: .covered}];
# Calls that the fit did not see: {error, inside the 90 % interval}.
def library_calls: held_out_calls(.validation.points);
def own_calls: held_out_calls(.validation.ours);
# Kinds of calls (algorithm and layout) that were measured but that the profile cannot predict.
def not_predicted: [.validation.notes[]? | select(test(" skipped: "))] | length;

# SPDX-License-Identifier: BSD-3-Clause
# The summary of one lab, and what bench/blind.sh prints of one and of all. Comes after lib/times.jq in one text:
# jq 1.7 cannot run modules that include others.

# Calls that the fit did not see: {error, inside the 90 % interval}, from what `alltold study --json` prints.
def held_out_calls(list): [list[]? | select(.fitted | not) | {error: .error, inside: .covered}];
def library_calls: held_out_calls(.validation.points);
def own_calls: held_out_calls(.validation.ours);
# Kinds of calls (algorithm and layout) that were measured but that the profile cannot predict.
def not_predicted: [.validation.notes[]? | select(test(" skipped: "))] | length;

def percent: if . == null then "-" else "\(. * 1000 | round / 10) %" end;
def signed: if . >= 0 then "+" + percent else percent end;
def padded($width): tostring | . + " " * ([$width - length, 0] | max) // .;
def mean: if length == 0 then null else add / length end;
def share(f): if length == 0 then null else ([.[] | select(f)] | length) / length end;
def median_error: if length == 0 then null else [.[].error | fabs] | median end;

# A quantity of all clusters, or of some: "NIC rate of cluster 1".
def quantity: sub(" of clusters? .*"; "");

# Largest error of a link that the profile claims to know.
def allowed: quantity | . as $what | {"NIC rate": 0.05, "switch buffer": 0.30, "backbone rate": 0.05, "backbone delay": 0.05,
              "backbone queue": 0.30}[$what] // error("no bar for \($what)");

# Labs that count where a quantity should be known: a backbone's rate and queue show only where hosts can fill it.
def needs_filling: quantity | IN("backbone rate", "backbone queue");
# Whether some cluster's uplink or downlink, which is what a lab's backbone is made of, is slower than the links of
# the hosts on the side of it that has fewer.
def can_be_filled($truth):
    ($truth.clusters | split("+") | map(split("x")[0] | tonumber)) as $sizes |
    ([$sizes[] | [., ($sizes | add) - .] | min] | max) * $truth.nic.goodput_byte_per_s >
        $truth.wan.goodput_byte_per_s;

# What is reported of a lab, from its files; a missing one is null. `failed`: runs without a result.
def summary($number; $lab; $study; $links; $runs; $truth):
    ([$runs[]? | select(.failed) | "\(.collective) \(.clusters)"]) as $failed |
    {number: $number, options: $lab.options, clusters: $lab.clusters,
     too_busy: ($truth.processors.bottleneck // false), hosts_late_s: $truth.processors.timer_late_s,
     links: [$links[]? | . + {allowed: (.what | allowed),
                              counts: (if .what | needs_filling then can_be_filled($truth) else true end),
                              error: (if .found then .found / .built - 1 else null end)}],
     studied: ($study != null), library: ($study // {} | library_calls), own: ($study // {} | own_calls),
     not_predicted: ($study // {} | not_predicted),
     expected: (($lab.collectives | length) * ($lab.layouts | length) * ($lab.sizes_bytes | length)),
     $failed,
     calls: [$runs[]? | select(.start != "barrier") | . as $run | .results // [] | group_by(.size_bytes)[] | compared(4) |
             {call: "\($run.collective) \($run.clusters), \(.auto.size_bytes) B", chosen: (.auto | name),
              best: (.best | name), loss, loss_error, over_mpi,
              slower: (.slower_than_mpi and .over_mpi > 0.03)}]};

def wrong: select(.error and (.error | fabs) > .allowed);

def held_out_text($name):
    "\($name) \([.[] | select(.inside)] | length) of \(length) inside, median error \(median_error | percent)";

def call_text:
    "\(.call): \(.chosen), best \(.best): \(.loss | percent) +- \(.loss_error | percent); " +
    "\(.over_mpi | signed) against mpi";

def lab_text:
    "lab \(.number): \(.options)",
    (select(.too_busy) |
     "  the machine was too busy for this lab: timers late by \(.hosts_late_s * 1e4 | round / 10) ms"),
    (.links[] | "  \(.what | padded(15)) built \(.built_text | padded(12)) " +
        if .found then
            "found \(.found_text | padded(12)) \(.error | signed)" + ([wrong] | if . == [] then "" else "  WRONG" end)
        else "not known" end),
    (if .studied then "  held out: \(.library | held_out_text("library")); \(.own | held_out_text("ours"))" +
        if .not_predicted > 0 then "; \(.not_predicted) kinds of calls not predicted" else "" end
     else "  the study failed" end),
    "  choice: \(.calls | length) of \(.expected) calls timed; mean loss \([.calls[].loss] | mean | percent)",
    (.failed[] | "    FAILED: \(.)"),
    (.calls | sort_by(-.loss)[:3][] | select(.loss > 0) | "    \(call_text)"),
    (.calls[] | select(.slower) | "    SLOWER than mpi: \(call_text)");

# One bar: whether it is met, and what was found beside the bar. Null: there was nothing to judge.
def bar($met; $text):
    {met: ($met != false),
     text: "\(if $met == null then "-     " elif $met then "met   " else "MISSED" end)  \($text)"};
# A share or an error of nothing meets no bar.
def beside($bar): "\(percent) (bar \($bar | percent))";
def least($value; $bar; $text): bar($value != null and $value >= $bar; "\($text): \($value | beside($bar))");
def most($value; $bar; $text): bar($value != null and $value <= $bar; "\($text): \($value | beside($bar))");
def none($list; $text): bar($list == []; "\($text): \($list | length) (bar 0)");

def bars:
    def held_out: map(.library + .own);
    ([.[].links[] ] | group_by(.what | quantity)[] |
        ([.[].error | select(.) | fabs]) as $errors |
        bar(if $errors == [] then null else all(.[]; [wrong] == []) end;
            "\(.[0].what | quantity): known in \($errors | length) of \(length) labs, error median " +
            "\(if $errors == [] then null else $errors | median end | percent), worst \($errors | max | percent) " +
            "(bar \(.[0].allowed | percent))")),
    ([.[].links[] | select(.counts)] | group_by(.what | quantity)[] |
        least(share(.error); 10 / 12; "\(.[0].what | quantity), share of \(length) labs in which it is known" +
            if .[0].what | needs_filling then ", where hosts can send more than the backbone takes" else "" end)),
    (held_out | add // [] | least(share(.inside); 0.85; "held out, inside, all labs")),
    ([.[] | {number, inside: (.library + .own | share(.inside))}] | min_by(.inside // 0) |
        least(.inside; 0.70; "held out, inside, lab \(.number), the worst")),
    (map(select(.clusters == 1)) | select(. != []) | held_out | add |
        most(median_error; 0.10; "held out, median error, one cluster")),
    (map(select(.clusters > 1)) | select(. != []) | held_out | add |
        most(median_error; 0.15; "held out, median error, several clusters")),
    ([.[].calls[]] |
        most([.[].loss] | mean; 0.03; "choice, mean loss of \(length) calls"),
        (max_by(.loss) | most(.loss; 0.15; "choice, worst loss, \(.call // "no call") (+- \(.loss_error | percent))")),
        none([.[] | select(.slower)]; "choice, calls slower than mpi by more than 3 % beyond noise")),
    none([.[].failed[]]; "choice, runs that failed"),
    none([.[] | select((.studied | not) or (.calls | length) < .expected / 2)];
         "labs without a study or half of the calls timed");

# From the summaries of all labs: {text, met}.
def over_all:
    [bars] as $bars |
    {met: all($bars[]; .met),
     text: (["over all \(length) labs, \(map(select(.too_busy)) | length) of them on too busy a machine",
             "  held out: \(map(.library) | add | held_out_text("library")); " +
                 (map(.own) | add | held_out_text("ours")),
             "  measured but not predicted: \(map(.not_predicted) | add) kinds of calls",
             "  choice: \(map(.calls | length) | add) of \(map(.expected) | add) calls timed",
             ($bars[] | "  " + .text)] | join("\n"))};

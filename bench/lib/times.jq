# SPDX-License-Identifier: BSD-3-Clause
# What a choice loses, from the results of `alltold run --json` that time it beside other algorithms.
def odd: [range(0; length; 2) as $i | .[$i]];
def even: [range(1; length; 2) as $i | .[$i]];
def median: sort | (.[((length - 1) / 2) | floor] + .[(length / 2) | floor]) / 2;
# Standard error of the median as a share, from the median absolute deviation.
def error: median as $m | ([.[] | . - $m | fabs] | median) * 1.86 / (length | sqrt) / $m;
# 95 % interval of the median by order statistics; of fewer than six times the lowest and the highest.
def interval:
    sort | length as $n | ([0, ($n / 2 - 0.98 * ($n | sqrt) - 0.5 | floor)] | max) as $k |
    [.[$k], .[$n - 1 - $k]];
def name: .algorithm + if .segment_bytes > 0 then " \(.segment_bytes)" else "" end;

# Of the results of one size: {auto, best, mpi, loss, loss_error, over_mpi, slower_than_mpi}, or empty where
# auto or mpi has fewer than `least` times. Rows of one algorithm with the same parameters (auto beside what
# it chose) are one. Odd repetitions decide which is best, even ones determine the loss and the time over
# mpi's, so that the best is not selected by luck.
def compared($least):
    [.[] | select((.times_s | length) >= $least)] |
    group_by([.algorithm, .segment_bytes, .window, .inter_cluster_window]) |
    map({algorithm: .[0].algorithm, auto: (map(.auto) | any), size_bytes: .[0].size_bytes,
         bound_s: .[0].bound_s, segment_bytes: .[0].segment_bytes, times_s: (map(.times_s) | add),
         odd: (map(.times_s | odd) | add), even: (map(.times_s | even) | add)}) as $rows |
    ($rows[] | select(.auto)) as $auto |
    ($rows | min_by(.odd | median)) as $best |
    ($rows[] | select(.algorithm == "mpi")) as $mpi |
    ($auto.even | median) as $took |
    {$auto, $best, $mpi, loss: ([$took / ($best.even | median) - 1, 0] | max),
     loss_error: (if $auto == $best then 0
                  else [$auto.even, $best.even] | map(error | . * .) | add | sqrt end),
     over_mpi: ($took / ($mpi.even | median) - 1),
     slower_than_mpi: (($auto.times_s | interval)[0] > ($mpi.times_s | interval)[1])};

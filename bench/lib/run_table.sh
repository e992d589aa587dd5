# SPDX-License-Identifier: BSD-3-Clause
# table FOLDER: a row for each size and algorithm of the results of `alltold run --json` in FOLDER/*.json, with the
# time over the bound, over the library's default and its best, and packets lost.
table() {
    cd "$1"
    printf '| lab | m | algorithm | n | time | time/bound | 95 %% | / default | / best of library | packets lost |\n'
    printf '|---|---|---|---|---|---|---|---|---|---|\n'
    for file in *.json; do
        jq -r --arg file "${file%.json}" '
            def two: if . == null then "-" else . * 100 | round / 100 end;
            def size: if . >= 1024 then "\(. / 1024) KiB" else "\(.) B" end;
            def time: if . >= 1 then "\(. * 100 | round / 100) s" else "\(. * 100000 | round / 100) ms" end;
            .results | group_by(.size_bytes)[] | . as $rows |
            ([$rows[] | select(.algorithm | test("^mpi"))] | min_by(.time_s.value)) as $best |
            $rows | sort_by(.time_s.value)[] |
            "| \($file) | \(.size_bytes | size) | \(.algorithm) | \(.times_s | length) | \(.time_s.value | time)"
            + " | \(.time_over_bound | two) | \(if .time_s.low and (.bound_s // 0) > 0 then "\(.time_s.low / .bound_s | two) to \(.time_s.high / .bound_s | two)" else "-" end)"
            + " | \(.time_over_mpi | two) | \(.time_s.value / $best.time_s.value | two) | \(.port_drops | two) |"' "$file"
    done
}


# SPDX-License-Identifier: BSD-3-Clause
# What a campaign's file holds, for checks that nothing of it was lost. Needs sqlite3.

# samples STORE: one line a sample; empty without a store.
samples() {
    [ -s "$1" ] && sqlite3 "file:$1?mode=ro" \
        "SELECT probe, algorithm, clusters, size_bytes, first_rank, second_rank, count, repetition, time_s
         FROM sample JOIN point ON point = id ORDER BY 1, 2, 3, 4, 5, 6, 7, 8" 2>/dev/null
}

# store_faults STORE BEFORE: one line for each kind of fault, if samples were lost since BEFORE (a file, the output
# of `samples`), are there twice or have gaps.
store_faults() {
    local number
    [ "$(sqlite3 "$1" 'PRAGMA quick_check')" = ok ] || echo "the store is damaged"
    number=$(comm -23 <(sort "$2") <(samples "$1" | sort) | wc -l)
    [ "$number" -eq 0 ] || echo "$number samples lost that were stored before"
    number=$(samples "$1" | cut -d'|' -f1-8 | sort | uniq -d | wc -l)
    [ "$number" -eq 0 ] || echo "$number samples twice"
    number=$(sqlite3 "$1" 'SELECT count(*) FROM (SELECT 1 FROM sample GROUP BY point
                           HAVING count(*) <> max(repetition) + 1)')
    [ "$number" -eq 0 ] || echo "$number points with a repetition missing"
}

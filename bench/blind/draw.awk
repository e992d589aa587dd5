# SPDX-License-Identifier: BSD-3-Clause
# awk -v state=STATE [-v corpus=1 [-v seven=1]] [-v grid=1] -f draw.awk: draws a lab and the calls to time in it from STATE (1 to 2^31 - 2), as
# one line of JSON. The ranges are those of docs/results/blind.md; with `corpus` those of docs/results/regret.md:
# slower links and fewer hosts, so that one processor suffices, in one lab of four 2 or 3 ranks on each of at most 5
# hosts, and in one of four (with `seven` in all) seven collectives. With `grid` there are two clusters or more, the
# hosts of each have links of 0.3 to 1 times the rate, and of three clusters or more each pair has its own backbone
# half of the time.

# Park and Miller 1988: exact in double precision, so the same in every awk.
function uniform() { state = (16807 * state) % 2147483647; return state / 2147483647 }
function whole(from, to) { return from + int(uniform() * (to - from + 1)) }
function between(from, to) { return from * exp(uniform() * log(to / from)) } # uniform in the logarithm
function min(a, b) { return a < b ? a : b }
function max(a, b) { return a > b ? a : b }
function joined(list, count, by,   i, text) {
    for (i = 1; i <= count; i++) text = text (i > 1 ? by : "") list[i]
    return text
}

BEGIN {
    for (i = 0; i < 10; i++) uniform()
    clusters = whole(1, corpus ? 6 : 4)
    if (corpus) clusters = clusters <= 2 ? 1 : clusters <= 4 ? 2 : clusters - 2
    if (grid) clusters = max(2, clusters)
    hosts = whole(max(3, clusters), corpus ? 8 : 12)
    per_host = 1
    collectives = "\"bcast\", \"scatter\", \"gather\", \"alltoall\""
    if (corpus) {
        if (uniform() < 0.25) { per_host = whole(2, 3); hosts = max(clusters, min(hosts, 5)) }
        if (uniform() < 0.25 || seven) collectives = collectives ", \"allgather\", \"reduce\", \"allreduce\""
    }
    each = per_host > 1 ? "x" per_host : ""
    # Every way to cut the hosts into clusters is as likely.
    cuts = clusters - 1
    size[c = 1] = 1
    for (h = 1; h < hosts; h++) {
        if (uniform() * (hosts - h) < cuts) { cuts--; size[++c] = 0 }
        size[c]++
    }
    nic_mbit = sprintf("%.1f", corpus ? between(4, 20) : between(5, 50)) + 0
    buffer_kib = int(between(16, 256) + 0.5)
    slowest_mbit = nic_mbit
    for (c = 1; c <= clusters; c++) {
        of_cluster[c] = size[c] each
        if (!grid) continue
        own_mbit = sprintf("%.1f", nic_mbit * between(0.3, 1)) + 0
        slowest_mbit = min(slowest_mbit, own_mbit)
        of_cluster[c] = of_cluster[c] sprintf("@%.1fMbit", own_mbit)
    }
    options = sprintf("--clusters %s --nic %.1fMbit --buffer %dKiB", joined(of_cluster, clusters, "+"), nic_mbit, buffer_kib)
    nic_mbit = slowest_mbit

    # The largest block: an all-to-all of it takes longest_s.
    longest_s = corpus ? 0.06 : 0.25 # of an all-to-all at the links' rate
    largest = longest_s * nic_mbit * 125000 / (hosts - 1) / per_host ^ 2
    if (clusters > 1) {
        first = second = crossing = 0
        for (c = 1; c <= clusters; c++) {
            if (size[c] > first) { second = first; first = size[c] }
            else if (size[c] > second) second = size[c]
            crossing = max(crossing, size[c] * (hosts - size[c]))
        }
        rate_mbit = sprintf("%.1f", between(0.3, 3) * second * nic_mbit) + 0
        delay_ms = sprintf("%.1f", between(0.5, 40)) + 0
        # The delay product is rate times round trip. No queue is smaller than the smallest port buffer.
        queue_kib = max(16, int(between(0.2, 3) * rate_mbit * 125 * 2 * delay_ms / 1024 + 0.5))
        options = options sprintf(" --wan %.1fMbit,%.1fms,%dKiB", rate_mbit, delay_ms, queue_kib)
        for (c = 2; grid && clusters > 2 && c <= clusters; c++)
            for (d = 1; d < c; d++)
                if (uniform() < 0.5)
                    options = options sprintf(" --wan %s-%s=%.1fMbit,%.1fms,%dKiB", substr("abcd", d, 1), substr("abcd", c, 1),
                        rate_mbit * between(0.3, 1), delay_ms * between(0.5, 2), queue_kib)
        largest = min(largest, longest_s * rate_mbit * 125000 / crossing / per_host ^ 2)
    }
    largest = max(4096, min(65536, largest))
    sizes = corpus ? 2 : 3
    for (i = 0; i < sizes; i++) {
        step = exp(log(largest / 512) / sizes)
        bytes[i + 1] = int(512 * step ^ i * between(1, step))
    }

    # A random subset of the hosts, never all of them.
    some = whole(2, hosts - 1)
    left = hosts
    for (c = 1; c <= clusters; c++) {
        taken = 0
        for (h = 1; h <= size[c]; h++) {
            name = "\"" substr("abcd", c, 1) h (per_host > 1 ? ":" per_host : "") "\""
            all[++known] = name
            if (uniform() * left-- < some) { some--; taken++; subset[++chosen] = name }
        }
        if (taken) part[++parts] = taken
    }
    printf "{\"options\": \"%s\", \"clusters\": %d, \"collectives\": [%s], \"sizes_bytes\": [%s], \"layouts\": [", options,
        clusters, collectives, joined(bytes, sizes, ", ")
    printf "{\"clusters\": \"%s\", \"ranks\": %d, \"hosts\": [%s]}, {\"clusters\": \"%s\", \"ranks\": %d, \"hosts\": [%s]}]}\n",
        joined(size, clusters, each "+") each, known * per_host, joined(all, known, ", "),
        joined(part, parts, each "+") each, chosen * per_host, joined(subset, chosen, ", ")
}

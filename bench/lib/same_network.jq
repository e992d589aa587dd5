# SPDX-License-Identifier: BSD-3-Clause
# The network of two profiles (jq -s): each parameter that both know with an interval, a line of tab-separated name,
# interval of the first, of the second, and whether they overlap or lie apart.
def estimates: # {value, low, high} of the ping-pongs
    {local, inter_cluster} | . as $all
    | [paths(type == "object" and has("value") and has("low") and has("high"))
       | {key: join("."), value: (. as $at | $all | getpath($at) | [.low, .high])}];
def ends($share): [. * (1 - $share), . * (1 + $share)];
def links: # half-widths beside the values
    [.links // {} | {port, backbone} | to_entries[] | select(.value) | .key as $link | .value
     | ({goodput_bytes_per_s: .goodput_error, latency_s: .latency_error, queue_bytes: .queue_error}
        | to_entries[] | select(.value)) as $of
     | select(.at_least != true or $of.key != "goodput_bytes_per_s")
     | {key: "links.\($link).\($of.key)", value: (.[$of.key] | ends($of.value))}];
def intervals: estimates + links | from_entries;
def short: if . == 0 then "0" else (fabs | log10 | floor) as $e | "\(. / pow(10; $e - 3) | round | . / 1000)e\($e)" end;
def text: map(short) | join(" to ");

map(intervals) as [$first, $second]
| $first | keys_unsorted[] | select($second[.])
| [., ($first[.] | text), ($second[.] | text),
   if $first[.][0] <= $second[.][1] and $second[.][0] <= $first[.][1] then "overlap" else "apart" end]
| @tsv

# SPDX-License-Identifier: BSD-3-Clause
# A lab's truth as the profile one would measure there: its links and nothing else.
def path: {goodput_bytes_per_s: .goodput_byte_per_s, latency_s: .one_way_delay_s, queue_bytes: .queue_bytes};
{format: "alltold profile", version: 3, source: "a lab", assumed: "the links are as built",
 provenance: {hosts: [], clusters: .clusters, clusters_from: "the lab", mpi_library: "", kernel: "",
              clock_method: "", start: "silence"},
 links: ({port: {goodput_bytes_per_s: .nic.goodput_byte_per_s, latency_s: 0.0001,
                 queue_bytes: .switch.port_buffer_bytes},
          start_up_s: 0.00005, timeout_s: 0.2}
         + if .wan then {backbone: (.wan | path), initial_window_bytes: 14480} else {} end
         + if .nic.of_clusters then
               {ports_of_clusters: [.nic.of_clusters[] as $nic | {goodput_bytes_per_s: $nic.goodput_byte_per_s,
                                    latency_s: 0.0001, queue_bytes: .switch.port_buffer_bytes}]} else {} end
         + if .wan.of_pairs then
               {backbone_of_pairs: [.wan as $wan | range(.clusters | split("+") | length) as $b | range($b) as $a |
                                    $wan.of_pairs | map(select(.clusters == [$a, $b])) | (.[0] // $wan) | path]} else {} end
         + if .nic.of_clusters or .wan.of_pairs then {clusters} else {} end),
 refused: []}

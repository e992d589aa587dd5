# SPDX-License-Identifier: BSD-3-Clause
# A lab's truth as the profile one would measure there: its links and nothing else.
{format: "alltold profile", version: 3, source: "a lab", assumed: "the links are as built",
 provenance: {hosts: [], clusters: .clusters, clusters_from: "the lab", mpi_library: "", kernel: "",
              clock_method: "", start: "silence"},
 links: ({port: {goodput_bytes_per_s: .nic.goodput_byte_per_s, latency_s: 0.0001,
                 queue_bytes: .switch.port_buffer_bytes},
          start_up_s: 0.00005, timeout_s: 0.2}
         + if .wan then {backbone: {goodput_bytes_per_s: .wan.goodput_byte_per_s,
                                    latency_s: .wan.one_way_delay_s,
                                    queue_bytes: .wan.queue_bytes},
                         initial_window_bytes: 14480} else {} end),
 refused: []}

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/simgrid.sh BUILD DIR [CLUSTERS [PROFILE [CALL...]]]: SimGrid on the platform that 'alltold export simgrid'
# writes, beside the lab. Runs alltold's own schedules by alltold's own executor under smpirun, and the same calls in
# the lab from silence. A CALL is CHOICE@BYTES. Without PROFILE a default study of the lab makes it.
# Ends with status 1 if a call is off by more than 10 %.
# Needs smpirun (Debian: libsimgrid-dev), a lab (docs/lab.md) and jq.
set -euo pipefail
build=$(cd "$1" && pwd) dir=$2 clusters=${3:-8} profile=${4:-} here=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 5 ] && calls=("${@:5}") ||
    calls=("scatter.flat@32768" "gather.windowed window=1@32768" "bcast.chain@65536")
command -v smpirun >/dev/null || { echo "simgrid.sh: no smpirun: install libsimgrid-dev" >&2; exit 3; }
mkdir -p "$dir"
if [ -z "$profile" ]; then
    profile=$dir/study/profile.json
    [ -e "$profile" ] || "$build/bin/alltold" study --clusters "$clusters" --keep "$dir/study" >&2
fi
"$build/bin/alltold" export simgrid "$profile" --clusters "$clusters" -o "$dir/platform.xml" --write-hosts "$dir/hosts"
libraries=()
for module in predict simulate network schedule topology core; do
    libraries+=("$build/src/$module/liballtold_$module.a")
done
smpicxx -std=c++20 -O2 -w -I"$here/src" "$here"/bench/smpi_schedule.cpp "$here"/src/runtime/{execute/*,mpi/error}.cpp \
    -Wl,--start-group "${libraries[@]}" -Wl,--end-group -lfmt -o "$dir/smpi_schedule"
ranks=$(wc -l <"$dir/hosts") status=0
printf '%-42s %10s %12s %12s %8s\n' call bytes "lab, ms" "SimGrid, ms" ratio
for call in "${calls[@]}"; do
    choice=${call%@*} bytes=${call##*@} collective=${call%%.*}
    simulated=$(smpirun -platform "$dir/platform.xml" -hostfile "$dir/hosts" -np "$ranks" --log=root.thresh:error \
        "$dir/smpi_schedule" "$clusters" "$bytes" $choice)
    measured=$("$build/bin/alltold" lab --clusters "$clusters" -- mpirun -n "$ranks" alltold run "$collective" \
        --algorithm "$choice" -m "$bytes" --repetitions 20 --without-mpi --json | jq '.results[0].time_s.value')
    printf '%-42s %10s %12.2f %12.2f %8.3f\n' "$choice" "$bytes" \
        $(jq -n "$measured * 1e3, $simulated * 1e3, $simulated / $measured")
    jq -e -n "($simulated / $measured - 1) | fabs <= 0.1" >/dev/null || status=1
done
exit $status

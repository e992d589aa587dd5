#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/programs.sh BUILD_BIN OUT [LAB [PROGRAM [REPETITIONS]]]: real programs, unmodified, with and without
# `alltold exec`, in turn, in one lab: times, the share of their exchanges, the gain, and whether the
# results are equal. Needs a lab (docs/lab.md) and Open MPI.
#   LAB      flat: 8 hosts, 50 Mbit, 64 KiB per switch port      two: 4+4, 20 Mbit, 64 KiB; 80 Mbit, 10 ms, 256 KiB
#            calibrate-flat, calibrate-two: no program, the LAB's profile from measure and tune, in under 2 minutes
#            table: no run, the table of all that OUT holds (default)
#   PROGRAM  fft-64, fft-128: 3-d FFT of 64^3 (128^3) by FFTW's serial plans and MPI_Alltoall
#            fftw-mpi: 64^3 by FFTW's own MPI plans                sort-64: 64 steps of a sample sort by MPI_Alltoallv
#            pw: Quantum ESPRESSO's pw.x, 8 atoms of silicon       hpcc-hpl: HPL of a whole hpcc run
#            hpcc-ptrans, hpcc-fft: of hpcc runs that are ended after MPIFFT, because what comes next, messages of
#            2 MB between all pairs, takes minutes and has nothing to intercept
# Each run writes OUT/LAB-PROGRAM.txt: in each line off or on, seconds, share, result. OUT/LAB.profile/net.json
# must be there (calibrate-LAB). All repetitions have LIMIT_S seconds (default 110).
set -euo pipefail
here=$(cd "$(dirname "$0")/programs" && pwd)
bin=$(cd "$1" && pwd) lab=${3:-table} program=${4:-fft-64} repetitions=${5:-5}
mkdir -p "$2"
out=$(cd "$2" && pwd)

# The median of the times of each kind; the gain is the median of the ratios of neighbours, with the
# least and the most.
table() {
    printf '| lab | program | n | without, s | with, s | gain | least to most | share | results |\n'
    printf '|---|---|---|---|---|---|---|---|---|\n'
    for file in "$out"/*.txt; do
        [ -s "$file" ] || continue
        jq -rRs --arg file "$(basename "$file" .txt)" '
            def median: sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2;
            def places(n): . * pow(10; n) | round / pow(10; n);
            [split("\n")[] | select(. != "") | split(" ") | {kind: .[0], s: (.[1] | tonumber), share: .[2], result: .[3]}] |
            [.[] | select(.kind == "off")] as $off | [.[] | select(.kind == "on")] as $on |
            [range([($off | length), ($on | length)] | min) | $off[.].s / $on[.].s] as $gains |
            ($file | split("-")) as $name |
            "| \($name[0]) | \($name[1:] | join("-")) | \($gains | length) | \([$off[].s] | median | places(3)) |" +
            " \([$on[].s] | median | places(3)) | \($gains | median | places(3)) | \($gains | min | places(2)) to " +
            "\($gains | max | places(2)) | \($off[0].share) to \($on[0].share) | " +
            "\(if ([.[].result] | unique | length) == 1 then "equal" else "differ" end) |"' "$file"
    done
}

case ${lab#calibrate-} in
flat) shape=(--clusters 8 --nic 50Mbit --buffer 64KiB) clusters=8 ;;
two) shape=(--clusters 4+4 --nic 20Mbit --buffer 64KiB --wan "80Mbit,10ms,256KiB") clusters=4+4 ;;
table) table && exit ;;
*) echo "bench/programs.sh: '$lab' is none of flat, two, calibrate-flat, calibrate-two, table" >&2 && exit 2 ;;
esac
profile=$out/${lab#calibrate-}.profile/net.json
if [[ $lab == calibrate-* ]]; then
    mkdir -p "$(dirname "$profile")"
    # shellcheck disable=SC2016 # expanded inside the lab
    "$bin/alltold" lab "${shape[@]}" -- bash -c 'set -e; cd "$1"
        mpirun -n 8 "$2" measure net.db --clusters "$3" --only p2p,links -m 1,1KiB,16KiB,128KiB --budget 30s
        mpirun -n 8 "$2" tune net.db -o net.json --clusters "$3" --collective alltoall -n 8 \
            -m 8,512,4KiB,16KiB,64KiB,512KiB --budget 60s' - "$(dirname "$profile")" "$bin/alltold" "$clusters" \
        </dev/null >&2
    exit
fi

need() { # command-or-file package
    command -v "$1" >/dev/null || [ -e "$1" ] || missing+=("$2")
}
missing=()
need mpicc.openmpi libopenmpi-dev
case $program in
fft-* | fftw-mpi) need /usr/include/fftw3.h libfftw3-dev && need /usr/include/fftw3-mpi.h libfftw3-mpi-dev ;;
hpcc-*) need hpcc hpcc ;;
pw)
    element=/usr/share/doc/quantum-espresso/examples/atomic/pseudo-LDA-0.5/Si.pz-vbc.UPF.gz
    need pw.x quantum-espresso && need "$element" quantum-espresso-data
    ;;
esac
if [ ${#missing[@]} -gt 0 ]; then
    echo "bench/programs.sh: install these Debian packages: ${missing[*]}" >&2 && exit 3
fi
[ -s "$profile" ] || { echo "bench/programs.sh: no $profile; run it with calibrate-$lab first" >&2 && exit 3; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compile() { # name library...
    mpicc.openmpi -std=gnu11 -O2 -o "$work/program" "$here/$1.c" "${@:2}"
}
# command: what to run in $work. report: reads its output, prints seconds, share or -, result.
# last_section: of hpcc's output, after which it is ended.
last_section=
ours='awk "/^time/ { print \$2, \$4, \$6 }"'
case $program in
fft-*) compile fft -lfftw3 -lm && command="./program ${program#fft-} $((512 / ${program#fft-}))" report=$ours ;;
fftw-mpi) compile fftw_mpi -lfftw3_mpi -lfftw3 -lm && command='./program 64 2' report=$ours ;;
sort-*) compile sort && command="./program 65536 ${program#sort-}" report=$ours ;;
hpcc-*)
    sed -e 's/^1000  *Ns/1600 Ns/' -e 's/^80  *NBs/40 NBs/' -e 's/^2  *Qs/4 Qs/' \
        <(cat /usr/share/doc/hpcc/examples/_hpccinf.txt* | gzip -dcf) >"$work/hpccinf.txt"
    command=hpcc
    [ "$program" = hpcc-hpl ] || last_section='End of MPIFFT section'
    # PTRANS tells the wall time of each of its tests, MPIFFT that of the transform and of its inverse. The results
    # are hpcc's own checks.
    report='tr -d "\r" <hpccoutf.txt | awk -v what='"${program#hpcc-}"' "
        { sub(/^ +/, \"\") }
        what == \"ptrans\" && \$1 == \"WALL\" { s += \$8; passed += \$9 == \"PASSED\" }
        what == \"fft\" && /^(Computing|Inverse FFT):/ { s += \$NF }
        what == \"fft\" && /^max\(/ { passed = \$NF }
        what == \"hpl\" && /^HPL_time=/ { s = substr(\$0, 10) }
        what == \"hpl\" && /^Success=/ { passed = substr(\$0, 9) }
        END { print s, \"-\", \"checks=\" passed }"'
    ;;
pw)
    gzip -dc "$element" >"$work/Si.pz-vbc.UPF"
    cp "$here/silicon.in" "$work"
    command='pw.x -in silicon.in'
    # Its own clock: wall time of all, of which scatters of its FFT are the all-to-alls.
    report='awk "
        function seconds(t, s) { s = 0; if (match(t, /[0-9.]+m/)) { s = 60 * substr(t, RSTART, RLENGTH - 1); sub(/.*m/, \"\", t) }
                                 sub(/s/, \"\", t); return s + t }
        /^! *total energy/ { energy = \$5 }
        / WALL/ { name = \$1; sub(/.*CPU */, \"\"); sub(/WALL.*/, \"\"); gsub(/ /, \"\") }
        name ~ /^fft_scatt/ { scatter += seconds(\$0) }
        name == \"PWSCF\" { wall = seconds(\$0) }
        { name = \"\" }
        END { printf \"%.3f %.3f energy=%s\n\", wall, scatter / wall, energy }"'
    ;;
*) echo "bench/programs.sh: unknown program '$program'" >&2 && exit 2 ;;
esac

# shellcheck disable=SC2016 # expanded inside the lab
"$bin/alltold" lab "${shape[@]}" -- timeout "${LIMIT_S:-110}" bash -c 'cd "$1"
    export OMP_NUM_THREADS=1 && for ((i = 0; i < $5; ++i)); do
        for kind in off on; do
            with=
            [ $kind = off ] || with="$2 exec --profile $6 --"
            rm -rf output scratch hpccoutf.txt
            mpirun -n 8 $with $3 >output 2>errors &
            if [ -n "$8" ]; then
                until grep -qs "$8" hpccoutf.txt || ! kill -0 $! 2>/dev/null; do sleep 0.2; done
                kill $! 2>/dev/null
                wait $!
                grep -qs "$8" hpccoutf.txt
            else
                wait $!
            fi || { cat output errors >&2; exit 1; }
            cat errors >>"$7"
            echo "$kind $(eval "$4" <output)"
        done
    done' - "$work" "$bin/alltold" "$command" "$report" "$repetitions" "$profile" "$out/$lab-$program.errors" \
    "$last_section" \
    </dev/null >"$out/$lab-$program.new"
grep -E '^(on|off) ' "$out/$lab-$program.new" >"$out/$lab-$program.txt"
rm "$out/$lab-$program.new"
table

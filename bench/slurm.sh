#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/slurm.sh BUILD_BIN [PART...]: alltold under Slurm. Starts a lab of 2+2 hosts, in it slurmctld, and slurmd and
# munged on every host, and checks the parts named, each in less than 2 minutes (default: all but same).
#   launch   Open MPI's ranks by srun, sbatch, salloc and job arrays: which of them see each other; stores and hosts;
#            clusters from Slurm's topology file
#   study    sbatch of a whole study, and a program with its profile
#   preempt  the same, pre-empted three times: it ends by SIGKILL, by SIGTERM, by SIGTERM within the partition's
#            GraceTime. No sample may be lost or doubled
#   limit    the same, stopped by --signal before its time limit, and queued again
#   same     the same on 6+6 hosts, pre-empted twice at random times from the seed SEED (default: any, and printed), and
#            a study by mpirun: the networks that they find have intervals that overlap. Takes 4 minutes. Of two good
#            studies about one in twenty differs somewhere, as intervals are of 95 %
# Leaves nothing behind: all is in the lab's /dev/shm. Exit status 1 if a check fails. Needs a lab (docs/lab.md), jq,
# sqlite3 and Debian's slurmctld, slurmd, slurm-client and munge. Other labs, of 4 hosts or more: alltold lab ... -- this.
set -uo pipefail
usage() { sed -n 's/^# \{0,1\}//; 3,15p' "$0" >&2 && exit 2; }
[[ $# -ge 1 && -x $1/alltold ]] || usage
here=$(dirname "$(readlink -f "$0")") bin=$(cd "$1" && pwd)
shift
for part in "$@"; do [[ $part =~ ^(launch|study|preempt|limit|same)$ ]] || usage; done
[ $# -gt 0 ] || set -- launch study preempt limit
for program in jq sqlite3; do
    command -v $program >/dev/null || { echo "bench/slurm.sh: needs $program" >&2 && exit 2; }
done
PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd srun munged mungekey; do
    command -v $program >/dev/null ||
        { echo "bench/slurm.sh: needs $program: apt-get install slurmctld slurmd slurm-client munge" >&2 && exit 2; }
done
lab=(--clusters 2+2)
[[ " $* " != *" same "* ]] || lab=(--clusters 6+6 --nic 20Mbit --buffer 64KiB --wan "80Mbit,10ms,256KiB")
[ -n "${ALLTOLD_LAB:-}" ] || exec "$bin/alltold" lab "${lab[@]}" -- "$0" "$bin" "$@"
# shellcheck source=bench/lib/samples.sh
. "$here/lib/samples.sh"

hosts=() daemons=() failures=0
while read -r host _; do hosts+=("$host"); done </dev/shm/lab/mpich-hosts
hosts=("${hosts[@]%:*}") count=${#hosts[@]}
folder=/dev/shm/lab/slurm # all hosts see it
own=/dev/shm/slurm        # every host, and the head, has its own
mkdir "$folder" "$folder/bin" || exit 2
end() {
    trap - EXIT INT TERM HUP
    scancel --quiet --partition=low 2>/dev/null && until_true 3 no_jobs # after a signal, the lab gives us 5 s
    kill "${daemons[@]}" 2>/dev/null
    wait
    rm -rf "$folder" /dev/shm/lab/nodes/head
}
trap end EXIT
trap 'exit 130' INT TERM HUP
fail() { echo "  FAILED: $*" && failures=$((failures + 1)); }

# until SECONDS COMMAND...: waits until the command succeeds.
until_true() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.2
    done
}

no_jobs() { [ -z "$(squeue -h -o %i 2>/dev/null)" ] && ! pgrep -x slurmstepd >/dev/null; }
all_idle() { [ "$(sinfo -h -N -p low -t idle -o %N 2>/dev/null | wc -l)" -eq "$count" ]; }

daemon() { # HOST COMMAND...
    ssh "$1" mkdir -p $own
    ssh "$1" exec "${@:2}" >"$folder/$2-$1.out" 2>&1 </dev/null &
    daemons+=($!)
}

start_slurm() {
    local host
    # The head is no host of the lab: its shell is this one.
    echo $$ >/dev/shm/lab/nodes/head
    mungekey --create --keyfile="$folder/munge.key"
    cat >"$folder/slurm.conf" <<END
ClusterName=lab
SlurmctldHost=head
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$own/munge.socket,cred_expire=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=2
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
KillWait=5
ReturnToService=2
SlurmdParameters=config_overrides
StateSaveLocation=$own
SlurmdSpoolDir=$own
TmpFS=$own
SlurmctldPidFile=$own/slurmctld.pid
SlurmdPidFile=$own/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%h.log
MailProg=/bin/true
$(for host in "${hosts[@]}"; do echo "NodeName=$host NodeAddr=$host-control CPUs=$((ALLTOLD_LAB_RANKS / count))"; done)
PartitionName=low Nodes=ALL Default=YES PriorityTier=1
PartitionName=high Nodes=ALL PriorityTier=2 PreemptMode=OFF
TopologyPlugin=topology/tree
END
    # Other clusters than the lab's: the hosts in turn.
    local switches=("" "") i
    for ((i = 0; i < count; i++)); do switches[i % 2]+=${switches[i % 2]:+,}${hosts[i]}; done
    printf 'SwitchName=%s\n' "leaf0 Nodes=${switches[0]}" "leaf1 Nodes=${switches[1]}" "core Switches=leaf[0-1]" \
        >"$folder/topology.conf"
    echo CgroupPlugin=cgroup/v1 >"$folder/cgroup.conf" # unused; else slurmd looks for them in the host's /sys
    export SLURM_CONF=$folder/slurm.conf
    export SLURM_PMIX_FENCE=ring # docs/slurm.md says why
    for host in head "${hosts[@]}"; do
        daemon "$host" munged --foreground --key-file="$folder/munge.key" --socket=$own/munge.socket \
            --pid-file=$own/munged.pid --seed-file=$own/munged.seed --num-threads=1
    done
    for host in head "${hosts[@]}"; do until_true 5 ssh "$host" test -S $own/munge.socket; done
    daemon head slurmctld -D
    for host in "${hosts[@]}"; do daemon "$host" slurmd -D; done
    until_true 20 all_idle && return
    echo "bench/slurm.sh: Slurm does not start:" >&2
    tail -v -n 5 -- "$folder"/*.log >&2
    exit 3
}

state() { squeue -h -t all -j "$1" -o %T 2>/dev/null; }
ended() { ! state "$1" | grep -qvE '^(COMPLETED|FAILED|CANCELLED|TIMEOUT|NODE_FAIL|BOOT_FAIL)$'; }
running_again() { [[ $(state "$1") == RUNNING && $(restarts "$1") -eq $2 ]]; }
restarts() { scontrol show job "$1" 2>/dev/null | sed -n 's/.*Restarts=\([0-9]*\).*/\1/p'; }
stored() { [ -s "$1" ] && [ "$(sqlite3 "file:$1?mode=ro" 'SELECT count(*) FROM sample' 2>/dev/null || echo 0)" -ge "$2" ]; }
requeued() { [ "$(state "$1")" = PENDING ] && ! pgrep -x slurmstepd >/dev/null; }

# What a program under Slurm sees. The lab's settings for launching by ssh do not apply.
by_ssh=()
for name in OMPI_MCA_plm OMPI_MCA_plm_rsh_agent OMPI_MCA_plm_rsh_no_tree_spawn OMPI_MCA_orte_default_hostfile; do
    by_ssh+=("$name=${!name:-}")
    unset "$name"
done

# said NAME: the last lines of the output of a job.
said() { tail -n 12 "$folder/$1.out" | cut -c1-160 | sed 's/^/    /'; }

launch() {
    local call="$bin/alltold run bcast -m 1KiB --algorithm mpi --repetitions 2 --json" n=$ALLTOLD_LAB_RANKS i job
    in_batch() { # COMMAND
        job=$(sbatch --parsable -n "$n" -o "$folder/batch.out" --wrap "$1") && until_true 50 ended "$job"
        cat "$folder/batch.out"
    }
    works() { # NAME COMMAND...: all ranks are in one world
        local ranks
        "${@:2}" >"$folder/launch.out" 2>&1 </dev/null
        ranks=$(sed -n '/^{/,/^}/p' "$folder/launch.out" | jq -r .ranks 2>/dev/null)
        [ "$ranks" = "$n" ] || { fail "$1" && said launch; }
        echo "  $1: ${ranks:-no} ranks"
    }
    refused() { # NAME COMMAND...: by Open MPI 4, or by alltold where each rank is alone, as in Open MPI 5
        local reason
        "${@:2}" >"$folder/launch.out" 2>&1 </dev/null && fail "$1 works"
        reason=$(grep -oE "not built with SLURM's PMI support|started as $n processes that do not see each other" \
            "$folder/launch.out" | sort -u)
        [ "$(grep -c . <<<"$reason")" -eq 1 ] || { fail "$1" && said launch; }
        echo "  $1: refused, ${reason:-not}"
    }
    local versioned # such as pmix_v4
    versioned=$(srun --mpi=list 2>&1 | grep -oE -m 1 'pmix_v[0-9]+' | head -n 1)
    # shellcheck disable=SC2086 # words
    {
        works "srun --mpi=pmix" srun -n "$n" --mpi=pmix $call
        works "srun --mpi=$versioned" srun -n "$n" --mpi="$versioned" $call
        works "salloc, mpirun" salloc -Q -n "$n" mpirun $call
        works "salloc, srun --mpi=pmix" salloc -Q -n "$n" srun --mpi=pmix $call
        refused "srun --mpi=pmi2" srun -n "$n" --mpi=pmi2 $call
        refused "srun" srun -n "$n" $call
    }
    works "sbatch, mpirun" in_batch "mpirun $call"
    works "sbatch, srun --mpi=pmix" in_batch "srun --mpi=pmix $call"
    for i in 1 2; do # the first two hosts, then the two after
        srun -w "${hosts[2 * i - 2]},${hosts[2 * i - 1]}" -N 2 --ntasks-per-node=1 --mpi=pmix "$bin/alltold" measure --clusters 2 \
            "$folder/other.db" --only p2p -m 1KiB --repetitions 2 >"$folder/other.out" 2>&1
        [ $? -eq $((i == 1 ? 0 : 2)) ] || { fail "a store on other hosts" && said other; }
    done
    grep -q 'describes another network' "$folder/other.out" || { fail "a store on other hosts" && said other; }
    echo "  a store on other hosts: refused"
    env -u ALLTOLD_CLUSTERS srun -n "$n" --mpi=pmix "$bin/alltold" measure "$folder/switches.db" --only p2p -m 1KiB \
        --repetitions 2 >"$folder/switches.out" 2>&1
    grep -aqs "given by Slurm's topology" "$folder/switches.db" || { fail "clusters from Slurm's topology" && said switches; }
    echo "  clusters from Slurm's topology"
    job=$(sbatch --parsable -n "$n" --array=0-1 -o "$folder/array-%a.out" --wrap "srun --mpi=pmix $bin/alltold measure \
        $folder/array-\$SLURM_ARRAY_TASK_ID.db --only p2p -m 1KiB --repetitions 2")
    until_true 50 ended "$job" || fail "the job array is $(state "$job")"
    for i in 0 1; do
        stored "$folder/array-$i.db" 1 || { fail "task $i of the job array" && said array-$i; }
        echo "  sbatch --array, task $i: $(samples "$folder/array-$i.db" | wc -l) samples"
    done
}

# submit NAME OPTIONS... -- OPTIONS OF STUDY...: the example's job, whose study goes to NAME; sets job and store.
submit() {
    local name=$1 options=()
    shift
    while [ "$1" != -- ]; do options+=("$1") && shift; done
    store=$folder/$name/study.db
    job=$(PATH=$folder/bin:$PATH sbatch --parsable -p low -N "$count" --ntasks-per-node=$((ALLTOLD_LAB_RANKS / count)) \
        -o "$folder/$name.out" "${options[@]}" "$here/../examples/slurm/study.sbatch" "$folder/$name" "${@:2}")
}
# done_whole NAME [SECONDS]: waits until the job has ended, with all results.
done_whole() {
    until_true "${2:-100}" ended "$job" || fail "the job is $(state "$job")"
    [[ -e $folder/$1/page.txt && -e $folder/$1/profile.json ]] || { fail "no results" && said "$1"; }
    echo "  job $(state "$job"), $(samples "$store" | wc -l) samples after $SECONDS s"
}
# kept BEFORE: whether the store still holds what it held.
kept() {
    local fault
    while read -r fault; do fail "$fault"; done < <(store_faults "$store" "$1")
    echo "  $(wc -l <"$1") samples before, $(samples "$store" | wc -l) after"
}

study() {
    submit study -- --budget 25s
    done_whole study
    ALLTOLD_LOG=explain srun --mpi=pmix -N "$count" --ntasks-per-node=$((ALLTOLD_LAB_RANKS / count)) "$bin/alltold" exec \
        --profile "$folder/study" -- "$bin/bench_call_time" >"$folder/exec.out" 2>&1
    grep "^alltold: $ALLTOLD_LAB_RANKS ranks, " "$folder/exec.out" | sed 's/^/  exec: /' | grep . || { fail "exec" && said exec; }
}

preempt() {
    # The first time alltold does not see SIGTERM, so SIGKILL ends it.
    rm "$folder/bin/alltold"
    cat >"$folder/bin/alltold" <<END
#!/bin/sh
[ "\${SLURM_RESTART_COUNT:-0}" -gt 0 ] && exec $bin/alltold "\$@"
exec env --block-signal=TERM --block-signal=PIPE $bin/alltold "\$@" # srun, which reads its output, ends first
END
    chmod +x "$folder/bin/alltold"
    local restart
    submit preempt -- --budget 20s
    for restart in 0 1 2; do
        # The last time it has 10 s between SIGTERM and the end, and its script queues it again.
        [ $restart -lt 2 ] || scontrol update PartitionName=low GraceTime=10
        samples "$store" >"$folder/before"
        until_true 60 stored "$store" $(($(wc -l <"$folder/before") + 30)) || { fail "no samples" && said preempt; }
        samples "$store" >"$folder/before"
        srun -Q -p high -N "$count" true || fail "the other job"
        until_true 20 requeued "$job" || fail "the job is $(state "$job")"
        if [ $restart -eq 0 ]; then
            # Ranks of Open MPI 5 end by themselves when they lose others.
            grep -q 'task.*: Killed' "$folder/preempt.out" || { fail "SIGKILL" && said preempt; }
        else
            [ "$(grep -c 'alltold: stopped by a signal' "$folder/preempt.out")" -eq $restart ] || { fail "SIGTERM" && said preempt; }
        fi
        echo "  pre-empted $((restart + 1)) times after $SECONDS s"
        kept "$folder/before"
    done
    scontrol update PartitionName=low GraceTime=0
    samples "$store" >"$folder/before"
    done_whole preempt
    kept "$folder/before"
    ln -sf "$bin/alltold" "$folder/bin/alltold"
}

limit() {
    submit limit --time=2 --signal=TERM@100 -- --budget 100s
    until_true 70 running_again "$job" 1 || { fail "the job is $(state "$job")" && said limit; }
    samples "$store" >"$folder/before"
    [ -s "$folder/before" ] || fail "no samples"
    until_true 60 stored "$store" $((30 + $(wc -l <"$folder/before"))) || fail "it does not go on"
    scancel "$job" && until_true 20 ended "$job"
    grep -q 'alltold: stopped by a signal' "$folder/limit.out" || { fail "SIGTERM" && said limit; }
    kept "$folder/before"
}

same() {
    local seed=${SEED:-$RANDOM} times name one other verdict compared=0
    RANDOM=$seed
    echo "  seed $seed"
    env "${by_ssh[@]}" mpirun -n "$ALLTOLD_LAB_RANKS" "$bin/alltold" study --keep "$folder/by-mpirun" --budget 45s \
        >"$folder/by-mpirun.out" 2>&1 </dev/null
    [ -e "$folder/by-mpirun/profile.json" ] || { fail "no results by mpirun" && said by-mpirun; }
    echo "  by mpirun: $(samples "$folder/by-mpirun/study.db" | wc -l) samples after $SECONDS s"
    submit same -- --budget 45s
    for times in 1 2; do
        until_true 60 running_again "$job" $((times - 1)) || fail "the job is $(state "$job")"
        sleep $((RANDOM % 30)).$((RANDOM % 10))
        ! ended "$job" || break
        samples "$store" >"$folder/before"
        srun -Q -p high -N "$count" true || fail "the other job"
        until_true 20 requeued "$job" || fail "the job is $(state "$job")"
        echo "  pre-empted $times times after $SECONDS s"
        [ ! -s "$folder/before" ] || kept "$folder/before"
    done
    done_whole same 200
    while IFS=$'\t' read -r name one other verdict; do
        compared=$((compared + 1))
        echo "  $name: $one by mpirun, $other by sbatch"
        [ "$verdict" = overlap ] || fail "$name: the intervals lie apart"
    done < <(jq -rs -f "$here/lib/same_network.jq" "$folder"/{by-mpirun,same}/profile.json)
    [ $compared -ge 6 ] || fail "only $compared parameters are known to both"
}

ln -s "$bin/alltold" "$folder/bin/alltold"
for part in "$@"; do
    if [ ${#daemons[@]} -eq 0 ]; then
        start_slurm
        echo "Slurm $(sinfo -V | cut -d' ' -f2) on $count hosts, $ALLTOLD_LAB_RANKS ranks, ready after $SECONDS s"
    fi
    echo "$part" && $part
done
echo "$# parts, $failures failures"
[ "$failures" -eq 0 ]

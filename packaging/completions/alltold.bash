# SPDX-License-Identifier: BSD-3-Clause
# bash completion for alltold, which lists what fits itself

_alltold()
{
    local words=("${COMP_WORDS[@]:1:COMP_CWORD}") at="" offered
    # Bash makes three words of "--name=value" and two of "@network".
    local last=$((${#words[@]} - 1))
    if [[ ${words[last]} == = ]]; then
        words[last]=""
    elif ((last > 0)) && [[ ${words[last - 1]} == = ]]; then
        words=("${words[@]:0:last-1}" "${words[last]}")
    elif ((last > 0)) && [[ ${words[last - 1]} == @ ]]; then
        at=@
        words=("${words[@]:0:last-1}" "@${words[last]}")
    fi
    mapfile -t offered < <("${COMP_WORDS[0]}" __complete "${words[@]}" 2>/dev/null)
    COMPREPLY=()
    if [[ ${offered[0]-} == ":command "* ]]; then
        if declare -F _command_offset >/dev/null; then
            _command_offset "${offered[0]#* }"
        elif ((COMP_CWORD == ${offered[0]#* })); then
            mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")
        fi
        return
    fi
    local line
    for line in "${offered[@]}"; do
        # Without a reply bash completes files.
        [[ $line == :files ]] || COMPREPLY+=("${line%%$'\t'*}")
    done
    COMPREPLY=("${COMPREPLY[@]#"$at"}")
}
complete -o bashdefault -o default -F _alltold alltold

# SPDX-License-Identifier: BSD-3-Clause
# fish completion for alltold, which lists what fits itself

function __alltold_offered
    set -l words (commandline -opc) (commandline -ct | string collect --allow-empty)
    for line in ($words[1] __complete $words[2..] 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path (commandline -ct)
            case ':command *'
                __fish_complete_subcommand --fcs-skip=(string replace ':command ' '' $line)
            case '*'
                echo $line
        end
    end
end

complete -c alltold -f -a '(__alltold_offered)'

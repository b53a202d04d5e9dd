extension CompletionScript {
    /// Appended to the parser's script for bash: files, whole words, and the default verb.
    static let bashAddition = #"""
        @HELP@

        # Names of files need quoting and a slash after folders; other words must not get them.
        __adtop_add_completions() {
            local completion
            case "${1}" in -f | -d) compopt -o filenames 2>/dev/null ;; esac
            while IFS='' read -r completion; do
                COMPREPLY+=("${completion}")
            done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
        }

        # Words, and files that end in one of the suffixes (arguments with a dot), or all files where none does.
        __adtop_files() {
            local argument IFS=$'\n'
            local -a words=() suffixes=()
            for argument in "${@}"; do
                case "${argument}" in .*) suffixes+=("${argument}") ;; *) words+=("${argument}") ;; esac
            done
            [[ ${#words[@]} -eq 0 ]] || __adtop_add_completions -W "${words[*]}"
            local -i before=${#COMPREPLY[@]}
            for argument in "${suffixes[@]}"; do __adtop_add_completions -f -X "!*${argument}"; done
            if [[ ${#COMPREPLY[@]} -gt ${before} ]]; then
                __adtop_add_completions -d
            else
                __adtop_add_completions -f
            fi
        }

        # Words separated by commas: those that the list does not have yet.
        __adtop_list() {
            local before='' word IFS=$'\n'
            local -a words=()
            case "${cur}" in *,*) before="${cur%,*}," ;; esac
            for word in "${@}"; do
                [[ ",${before}" == *",${word},"* ]] || words+=("${before}${word}")
            done
            __adtop_add_completions -W "${words[*]}"
        }

        # Completes the words as the shell passes them: `:` and `=` do not divide them.
        _adtop_line() {
            local rest="${COMP_LINE:0:COMP_POINT}" before='' word trimmed cur
            local -a words=()
            local -i index last
            for ((index = 0; index <= COMP_CWORD; index++)); do
                word="${COMP_WORDS[index]}"
                trimmed="${rest#"${rest%%[![:space:]]*}"}"
                [[ ${index} -lt ${COMP_CWORD} ]] || word="${trimmed}"
                last=$((${#words[@]} - 1))
                if [[ ${last} -ge 0 && "${trimmed}" == "${rest}" && -n "${rest}" ]]; then
                    before="${words[last]}"
                    words[last]+="${word}"
                else
                    before=''
                    words+=("${word}")
                fi
                rest="${trimmed#"${word}"}"
            done
            last=$((${#words[@]} - 1))
            cur="${before}${2}"
            # The cursor is behind a colon or an equals sign.
            case "${words[last]}" in *[:=]) before="${words[last]}" cur="${words[last]}" ;; esac
            if [[ "${words[last]}" == --*=* ]]; then
                words[last + 1]="${words[last]#*=}"
                words[last]="${words[last]%%=*}"
                before="${before#*=}" cur="${cur#*=}"
                last+=1
            fi
            case "${words[1]}" in
            help | --help | -h)
                if [[ ${last} -gt 1 ]]; then
                    local verbs
                    verbs="$(__adtop_verbs "${words[@]:1:last - 1}")"
                    __adtop_add_completions -W "${verbs// /$'\n'}"
                    return
                fi
                ;;
            esac
            if [[ ${last} -gt 1 || "${words[1]}" == -* ]]; then
                case ' @VERBS@ ' in
                *" ${words[1]} "*) ;;
                *)
                    words=("${words[0]}" watch "${words[@]:1}")
                    last+=1
                    ;;
                esac
            fi
            local -a COMP_WORDS=("${words[@]}")
            local -i COMP_CWORD=${last}
            _adtop "${words[0]}" "${cur}" "${words[last - 1]}"
            [[ ${last} -gt 1 ]] || _adtop_first_word
            [[ -z "${before}" ]] || COMPREPLY=("${COMPREPLY[@]#"${before}"}")
        }

        # In the place of a verb may be a recording; options are for those who begin one.
        _adtop_first_word() {
            local -a verbs=()
            local word
            for word in "${COMPREPLY[@]}"; do
                [[ "${word}" == -* ]] || verbs+=("${word}")
            done
            COMPREPLY=("${verbs[@]}")
            if [[ ${#verbs[@]} -eq 0 ]]; then
                __adtop_files .adtop
            else
                while IFS='' read -r word; do
                    COMPREPLY+=("$(printf '%q' "${word}")")
                done < <(compgen -f -X '!*.adtop' -- "${cur}")
            fi
        }

        complete -F _adtop_line adtop

        """#
}

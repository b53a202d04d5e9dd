extension CompletionScript {
    /// Put before the last statement of the parser's script for zsh: files, `--option=value`, and the default verb.
    static let zshAddition = #"""
        # Words, and files that end in one of the suffixes (arguments with a dot), or all files where none does.
        __adtop_files() {
            local -a adtop_words=("${(@)argv:#.*}") suffixes=("${(@M)argv:#.*}") expl
            local -i ret=1
            (( $#adtop_words )) && _wanted values expl value compadd -a adtop_words && ret=0
            if (( $#suffixes )); then
                _files -g "${(j: :)suffixes/#/*}" && ret=0
            else
                _files && ret=0
            fi
            return "${ret}"
        }

        # Words separated by commas: those that the list does not have yet.
        __adtop_list() {
            local -a adtop_words=("${@}") adtop_named expl
            if compset -P '*,'; then
                adtop_named=("${(@s:,:)${IPREFIX##*=}}")
                adtop_words=("${(@)adtop_words:|adtop_named}")
            fi
            _wanted values expl value compadd -a adtop_words
        }

        @HELP@

        functions[__adtop_root]="${functions[_adtop]}"

        _adtop() {
            local -a adtop_verbs=(@VERBS@)
            if [[ "${PREFIX}" == --*=* ]]; then
                local adtop_option="${PREFIX%%=*}"
                compset -P 1 '*='
                words[CURRENT,CURRENT]=("${adtop_option}" "${PREFIX}${SUFFIX}")
                (( CURRENT++ ))
            fi
            if (( CURRENT > 2 )) && [[ "${words[2]}" == (help|--help|-h) ]]; then
                local -a adtop_help=(${=$(__adtop_verbs "${(@)words[2,CURRENT-1]}")}) expl
                _wanted verbs expl verb compadd -a adtop_help
                return
            fi
            if (( CURRENT > 2 )) || [[ "${words[2]}" == -* ]]; then
                if (( ! ${adtop_verbs[(Ie)${words[2]}]} )); then
                    words=("${words[1]}" watch "${(@)words[2,-1]}")
                    (( CURRENT++ ))
                fi
                __adtop_root "${@}"
                return
            fi
            local -i ret=1
            __adtop_root "${@}" && ret=0
            if (( ret )); then
                _files -g '*.adtop' && ret=0
            else
                _path_files -g '*.adtop'
            fi
            return "${ret}"
        }

        """#
}

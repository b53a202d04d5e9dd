extension CompletionScript {
    /// Appended to the parser's script for fish: files, and the default verb.
    static let fishAddition = #"""
        # The words before the cursor, with the verb that is meant when none is typed.
        function __adtop_tokens
            set -l tokens
            if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
                set tokens (commandline --tokens-raw $argv)
            else
                set tokens (commandline -o $argv)
            end
            if contains -- "$argv" -pc -p
                set -l first $tokens[2]
                if test -z "$first"; and string match -q -- '-*' (commandline -ct)
                    set first -
                end
                if contains -- $first --help -h
                    set tokens $tokens[1] help
                else if test -n "$first"; and not contains -- $first @VERBS@
                    set tokens $tokens[1] watch $tokens[2..]
                end
            end
            test (count $tokens) -eq 0; or printf '%s\n' $tokens
        end

        function __adtop_complete_directories
            __fish_complete_directories (commandline -ct) ''
        end

        # Words, and files: first those that end in one of the suffixes (arguments with a dot).
        function __adtop_files
            set -l suffixes
            for argument in $argv
                if string match -q -- '.*' $argument
                    set -a suffixes $argument
                else
                    printf '%s\n' $argument
                end
            end
            for suffix in $suffixes
                __fish_complete_suffix $suffix
            end
            test (count $suffixes) -gt 0; or __fish_complete_path (commandline -ct)
        end

        # Words separated by commas: those that the list does not have yet.
        function __adtop_list
            set -l before (string match -r -- '^.*,' (string replace -r -- '^--[^=]*=' '' (commandline -ct)))
            set -l named (string split -- , "$before")
            for word in $argv
                contains -- $word $named; or printf '%s\n' "$before$word"
            end
        end

        @HELP@

        function __adtop_is_help
            set -l tokens (commandline -opc)
            test (count $tokens) -gt 1; and contains -- $tokens[2] help --help -h
        end

        function __adtop_help
            __adtop_verbs (commandline -opc)[2..]
        end

        complete -c adtop -n __adtop_is_help -fa '(__adtop_help)'

        # In the place of a verb may be a recording.
        function __adtop_recordings
            set -l token (commandline -ct)
            for verb in @VERBS@
                if string match -q -- "$token*" $verb
                    set -l found $token*.adtop
                    test (count $found) -eq 0; or printf '%s\n' $found
                    return
                end
            end
            __adtop_files .adtop
        end

        complete -c adtop -n 'test (count (commandline -opc)) -eq 1' -ka '(__adtop_recordings)'

        """#
}

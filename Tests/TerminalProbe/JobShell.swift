import Foundation

/// A minimal shell for suspending: it runs the probe as a foreground job, reports when it stops, and continues it
/// when a line is typed.
enum JobShell {
    /// Runs the probe with these arguments and returns the status that a shell would show.
    static func run(_ arguments: [String]) -> Int32 {
        signal(SIGTTOU, SIG_IGN)
        let words = ([CommandLine.arguments[0], "job"] + arguments).map { strdup($0) } + [nil]
        var child = pid_t()
        guard posix_spawn(&child, CommandLine.arguments[0], nil, nil, words, environ) == 0 else { return 127 }
        while true {
            var status: Int32 = 0
            guard waitpid(child, &status, WUNTRACED) == child else { return 126 }
            guard status & 0xFF == 0x7F else { return report(status) }
            tcsetpgrp(0, getpgrp())
            var modes = termios()
            tcgetattr(0, &modes)
            let isCooked = modes.c_lflag & tcflag_t(ICANON) != 0 && modes.c_lflag & tcflag_t(ECHO) != 0
            say("stopped by \(status >> 8 & 0xFF), \(isCooked ? "cooked" : "raw")")
            _ = readLine()
            tcsetpgrp(0, child)
            kill(-child, SIGCONT)
        }
    }

    /// A job of its own group in the foreground, as a shell makes it.
    static func becomeForegroundJob() {
        setpgid(0, 0)
        signal(SIGTTOU, SIG_IGN)
        tcsetpgrp(0, getpid())
        signal(SIGTTOU, SIG_DFL)
    }

    /// A script that runs the probe and waits for it.
    static func becomeScript() {
        let script: [String] = ["sh", "-c", "\"$0\"; exit $?", CommandLine.arguments[0]]
        let words = script.map { strdup($0) } + [nil]
        execv("/bin/sh", words)
    }

    private static func report(_ status: Int32) -> Int32 {
        tcsetpgrp(0, getpgrp())
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
        say("ended with \(code)")
        return code
    }

    private static func say(_ text: String) {
        FileHandle.standardOutput.write(Data("shell: \(text)\n".utf8))
    }
}

import Screen

/// Copies text everywhere a paste may come from.
package struct Clipboard: Sendable {
    /// Time limit of one program.
    package static let programLimit = Duration.seconds(2)

    private let environment: [String: String]
    private let run: @Sendable (_ arguments: [String], _ input: [UInt8], _ environment: [String: String]) -> Bool

    /// A clipboard that runs real programs.
    package init(environment: [String: String]) {
        self.init(environment: environment) { arguments, input, environment in
            Subprocess.run(arguments, input: input, environment: environment, limit: Clipboard.programLimit)
        }
    }

    /// A clipboard whose programs are run by `run`, which returns whether one accepted the input.
    init(
        environment: [String: String],
        run: @escaping @Sendable (_ arguments: [String], _ input: [UInt8], _ environment: [String: String]) -> Bool
    ) {
        self.environment = environment
        self.run = run
    }

    /// Sends OSC 52 through `send` (false when the terminal cannot be asked) and runs the programs that fit.
    package func copy(_ text: String, send: ([UInt8]) -> Bool) async -> ClipboardReport {
        let isSent = TerminalSequence.clipboard(text).map(send) ?? false
        let (besides, firstWorking) = ClipboardProgram.plan(environment: environment, isMacOS: Clipboard.isMacOS)
        guard !besides.isEmpty || !firstWorking.isEmpty else {
            return ClipboardReport(sentToTerminal: isSent, programs: [])
        }
        let input = Array(text.utf8)
        let programs = await withCheckedContinuation { continuation in
            let work: @Sendable () -> Void = {
                var used = besides.filter { run($0.arguments, input, environment) }
                if let other = firstWorking.first(where: { run($0.arguments, input, environment) }) {
                    used.append(other)
                }
                continuation.resume(returning: used)
            }
            if !PosixThread.start(work) { continuation.resume(returning: []) }
        }
        return ClipboardReport(sentToTerminal: isSent, programs: programs)
    }

    #if os(macOS)
        private static let isMacOS = true
    #else
        private static let isMacOS = false
    #endif
}

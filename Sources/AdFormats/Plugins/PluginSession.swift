package import Ports

/// One running plugin process as the host sees it: sends the greeting, splits output into messages, detects hangs,
/// floods and exits, and decides when to kill it (FMT-25). Has no access to pipes or processes.
package struct PluginSession: Sendable {
    /// Longest line in bytes; a longer one ends the plugin.
    package static let maximumLineBytes = 1 << 20
    /// Time limit from the start to `ready`.
    package static let greetingTime: Duration = .seconds(5)
    /// Time limit for a load; a bid has the deadline of its auction.
    package static let loadTime = Limits.requestTimeout
    /// Consecutive loads and bids without an answer after which the plugin is ended.
    package static let maximumUnanswered = 3
    /// Silence after `bye`, or after the request to end, until the process is killed.
    package static let shutdownSilence: Duration = .seconds(2)
    /// Time after `bye` until the process is killed, even if it still writes.
    package static let shutdownTime: Duration = .seconds(5)
    /// Most lines per second on both outputs; a plugin that writes more is ended.
    package static let maximumLinesPerSecond = 200
    /// Most bytes per second on both outputs.
    package static let maximumBytesPerSecond = 4 << 20
    /// Invalid messages after which the plugin is ended.
    package static let maximumBadLines = 100
    /// Most host messages queued until the plugin is ready.
    static let maximumWaiting = 1_000
    /// Most bytes of an error line in the log.
    static let loggedBytes = 1_000

    package enum State: Sendable, Hashable {
        case greeting, ready, closing
        case ended(reason: String)
    }

    package enum Output: Sendable, Hashable {
        case write(String)
        case deliver(PluginMessage)
        /// A log line.
        case note(Severity, String)
        /// The plugin hangs: the process is asked to end, and killed after ``shutdownSilence``.
        case terminate
        case kill
        /// The session ended; every presenter has lost its plugin.
        case ended(reason: String)
    }

    package private(set) var state = State.greeting
    package private(set) var provider = ""
    private var waiting: [HostMessage] = []
    private var questions = PluginQuestions()
    private var line: [UInt8] = []
    private var errorLine: [UInt8] = []
    private var badLines = 0
    /// Lines and bytes since `secondBegan`.
    private var (saidLines, saidBytes) = (0, 0)
    private var secondBegan: Duration?
    private var deadline: Duration?
    /// Uptime at which a plugin that received `bye` is killed at the latest.
    private var lastMoment: Duration?

    package init() {}

    /// Uptime at which the plugin is ended unless it answers; nil when there is no deadline.
    package var nextDue: Duration? { [deadline, lastMoment, questions.nextDue].compactMap(\.self).min() }
    package var isEnded: Bool { if case .ended = state { true } else { false } }
    /// Whether it has answered a load or a bid, even late.
    package var hasAnswered: Bool { questions.hasAnswered }

    /// Records that the process runs.
    package mutating func started(
        configuration: JSONValue, parameters: JSONValue, at uptime: Duration
    ) -> [Output] {
        deadline = uptime + Self.greetingTime
        return [.write(HostMessage.hello(configuration: configuration, parameters: parameters).line)]
    }

    /// Sends a message to the plugin as soon as it is ready.
    package mutating func send(_ message: HostMessage, at uptime: Duration) -> [Output] {
        switch state {
        case .ready:
            questions.asked(message, at: uptime)
            return [.write(message.line)]
        case .greeting:
            if waiting.count < Self.maximumWaiting { waiting.append(message) }
            return []
        case .closing, .ended: return []
        }
    }

    /// Reads bytes of its standard output.
    package mutating func received(_ bytes: some Sequence<UInt8>, at uptime: Duration) -> [Output] {
        var outputs: [Output] = []
        if state == .closing { deadline = uptime + Self.shutdownSilence }
        for byte in bytes {
            guard !isEnded else { break }
            guard isInBudget(byte, at: uptime) else { return outputs + giveUp(Self.floodReason) }
            if byte == UInt8(ascii: "\n") {
                outputs += takeLine(at: uptime)
            } else if line.count < Self.maximumLineBytes {
                line.append(byte)
            } else {
                outputs += giveUp("a line of its output is longer than 1 MiB")
            }
        }
        return outputs
    }

    /// Reads bytes of its standard error, which go to the log line by line.
    package mutating func complained(_ bytes: some Sequence<UInt8>, at uptime: Duration) -> [Output] {
        var outputs: [Output] = []
        for byte in bytes {
            guard !isEnded else { break }
            guard isInBudget(byte, at: uptime) else { return outputs + giveUp(Self.floodReason) }
            if byte == UInt8(ascii: "\n") {
                if !errorLine.isEmpty { outputs.append(.note(.info, String(decoding: errorLine, as: UTF8.self))) }
                errorLine = []
            } else if errorLine.count < Self.loggedBytes {
                errorLine.append(byte)
            }
        }
        return outputs
    }

    /// Records that the process ended; `how` is a clause.
    package mutating func exited(_ how: String) -> [Output] {
        guard !isEnded else { return [] }
        return end(state == .closing ? "closed" : "the plugin \(how)")
    }

    /// Records that the plugin does not read its input.
    package mutating func wentDeaf() -> [Output] {
        isEnded ? [] : giveUp("the plugin does not read its input")
    }

    /// Advances to `uptime`.
    package mutating func advance(to uptime: Duration) -> [Output] {
        guard let due = nextDue, due <= uptime, !isEnded else { return [] }
        switch state {
        case .greeting: return giveUp("the plugin did not send ready within \(Self.greetingTime.text)", by: .terminate)
        case .ready:
            questions.advance(to: uptime)
            guard questions.unanswered >= Self.maximumUnanswered else { return [] }
            return giveUp("the plugin did not answer \(questions.unanswered) requests in a row", by: .terminate)
        case .closing:
            let isSilent = deadline.map { $0 <= uptime } ?? false
            return giveUp(
                isSilent
                    ? "killed after \(Self.shutdownSilence.text) of silence"
                    : "killed \(Self.shutdownTime.text) after bye")
        case .ended: return []
        }
    }

    /// This process did not run for `span`, and the plugin, which is of the same job, did not either: it has the time that was left.
    package mutating func stoodStill(for span: Duration) {
        deadline = deadline.map { $0 + span }
        lastMoment = lastMoment.map { $0 + span }
        questions.stoodStill(for: span)
    }

    /// Sends `bye` to the plugin and waits for its end.
    package mutating func close(_ reason: String, at uptime: Duration) -> [Output] {
        guard !isEnded, state != .closing else { return [] }
        state = .closing
        (deadline, lastMoment) = (uptime + Self.shutdownSilence, uptime + Self.shutdownTime)
        questions.close()
        return [.write(HostMessage.bye(reason: reason).line)]
    }

    /// Whether the output is within its limits per second: readers must keep up, and a recording contains all of it.
    private mutating func isInBudget(_ byte: UInt8, at uptime: Duration) -> Bool {
        if secondBegan.map({ uptime - $0 >= .seconds(1) }) ?? true {
            (secondBegan, saidLines, saidBytes) = (uptime, 0, 0)
        }
        saidBytes += 1
        if byte == UInt8(ascii: "\n") { saidLines += 1 }
        return saidBytes <= Self.maximumBytesPerSecond && saidLines <= Self.maximumLinesPerSecond
    }

    private static let floodReason =
        "the plugin writes more than \(maximumLinesPerSecond) lines or \(maximumBytesPerSecond >> 20) MiB per second"

    private mutating func takeLine(at uptime: Duration) -> [Output] {
        defer { line.removeAll(keepingCapacity: true) }
        guard line.contains(where: { $0 > 0x20 }) else { return [] }
        do throws(PluginMessage.Problem) {
            return try PluginMessage.read(line).map { take($0, at: uptime) } ?? []
        } catch {
            badLines += 1
            let note = Output.note(.warning, "a line of the plugin \(error.message)")
            return badLines < Self.maximumBadLines ? [note] : [note] + giveUp("too many lines are invalid")
        }
    }

    private mutating func take(_ message: PluginMessage, at uptime: Duration) -> [Output] {
        switch (message, state) {
        case (.ready(let provider, _, _, _), .greeting):
            self.provider = provider
            state = .ready
            deadline = nil
            defer { waiting = [] }
            for message in waiting { questions.asked(message, at: uptime) }
            return [.deliver(message)] + waiting.map { .write($0.line) }
        case (.ready, _): return [.note(.warning, "the plugin sent ready twice")]
        case (.bye(let reason), .closing): return end(reason.isEmpty ? "closed" : reason)
        case (.bye(let reason), _):
            return giveUp(reason.isEmpty ? "the plugin sent bye" : "the plugin sent bye: \(reason)")
        case (_, .ready):
            questions.answered(message)
            return [.deliver(message)]
        case (_, .greeting): return [.note(.warning, "a message before ready was ignored")]
        case (_, .closing), (_, .ended): return []
        }
    }

    private mutating func giveUp(_ reason: String, by means: Output = .kill) -> [Output] {
        [means] + end(reason)
    }

    private mutating func end(_ reason: String) -> [Output] {
        state = .ended(reason: reason)
        (deadline, lastMoment) = (nil, nil)
        questions.close()
        (waiting, line) = ([], [])
        return [.ended(reason: reason)]
    }
}

package import Ports

/// One running plugin process, seen from the host: greets it, cuts its output into messages, notices when it hangs, floods or
/// dies, and says when to kill it (FMT-25). Knows no pipes and no processes.
package struct PluginSession: Sendable {
    /// Bytes of one line; a longer one ends the plugin.
    package static let maximumLineBytes = 1 << 20
    /// From the start to `ready`.
    package static let greetingTime: Duration = .seconds(5)
    /// For a load; a bid has the auction's time.
    package static let loadTime = Limits.requestTimeout
    /// Loads and bids in a row whose time passes; the last one ends the plugin.
    package static let maximumUnanswered = 3
    /// Of silence after `bye` until the process is killed, and from the request to end until then.
    package static let shutdownSilence: Duration = .seconds(2)
    /// After `bye` until the process is killed, whatever it still says.
    package static let shutdownTime: Duration = .seconds(5)
    /// Lines of both outputs within a second; a plugin that says more is given up.
    package static let maximumLinesPerSecond = 200
    /// Bytes of both outputs within a second.
    package static let maximumBytesPerSecond = 4 << 20
    /// Messages that cannot be read until the plugin is given up.
    package static let maximumBadLines = 100
    /// Host messages kept until the plugin is ready.
    static let maximumWaiting = 1_000
    /// Bytes of an error line that go to the log.
    static let loggedBytes = 1_000

    package enum State: Sendable, Hashable {
        case greeting, ready, closing
        case ended(reason: String)
    }

    package enum Output: Sendable, Hashable {
        case write(String)
        case deliver(PluginMessage)
        /// For the log.
        case note(Severity, String)
        /// It hangs: the process is asked to end, and killed after ``shutdownSilence``.
        case terminate
        case kill
        /// Nothing comes any more; every presenter has lost its plugin.
        case ended(reason: String)
    }

    package private(set) var state = State.greeting
    package private(set) var provider = ""
    private var waiting: [HostMessage] = []
    private var questions = PluginQuestions()
    private var line: [UInt8] = []
    private var errorLine: [UInt8] = []
    private var badLines = 0
    /// What was said since `secondBegan`.
    private var (saidLines, saidBytes) = (0, 0)
    private var secondBegan: Duration?
    private var deadline: Duration?
    /// Uptime at which a plugin that is said goodbye to is killed at the latest.
    private var lastMoment: Duration?

    package init() {}

    /// Uptime at which the plugin is given up unless it says something; nil when there is no such time.
    package var nextDue: Duration? { [deadline, lastMoment, questions.nextDue].compactMap(\.self).min() }
    package var isEnded: Bool { if case .ended = state { true } else { false } }
    /// It answered a load or a bid, maybe late.
    package var hasAnswered: Bool { questions.hasAnswered }

    /// The process runs.
    package mutating func started(
        configuration: JSONValue, parameters: JSONValue, at uptime: Duration
    ) -> [Output] {
        deadline = uptime + Self.greetingTime
        return [.write(HostMessage.hello(configuration: configuration, parameters: parameters).line)]
    }

    /// Says something to the plugin, as soon as it is ready.
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

    /// Bytes of its standard output.
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

    /// Bytes of its standard error: for the log, line by line.
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

    /// The process is gone; `how` is a clause.
    package mutating func exited(_ how: String) -> [Output] {
        guard !isEnded else { return [] }
        return end(state == .closing ? "closed" : "the plugin \(how)")
    }

    /// It does not read what it is told.
    package mutating func wentDeaf() -> [Output] {
        isEnded ? [] : giveUp("the plugin does not read what it is told")
    }

    /// Time has come to `uptime`.
    package mutating func advance(to uptime: Duration) -> [Output] {
        guard let due = nextDue, due <= uptime, !isEnded else { return [] }
        switch state {
        case .greeting: return giveUp("the plugin did not say ready within \(Self.greetingTime.text)", by: .terminate)
        case .ready:
            questions.advance(to: uptime)
            guard questions.unanswered >= Self.maximumUnanswered else { return [] }
            return giveUp("the plugin left \(questions.unanswered) questions in a row unanswered", by: .terminate)
        case .closing:
            let isSilent = deadline.map { $0 <= uptime } ?? false
            return giveUp(
                isSilent
                    ? "killed after \(Self.shutdownSilence.text) of silence"
                    : "killed \(Self.shutdownTime.text) after bye")
        case .ended: return []
        }
    }

    /// The host is done with it: says goodbye and waits for the end.
    package mutating func close(_ reason: String, at uptime: Duration) -> [Output] {
        guard !isEnded, state != .closing else { return [] }
        state = .closing
        (deadline, lastMoment) = (uptime + Self.shutdownSilence, uptime + Self.shutdownTime)
        questions.close()
        return [.write(HostMessage.bye(reason: reason).line)]
    }

    /// What a plugin may say in a second: whoever listens must keep up, and a recording keeps it all.
    private mutating func isInBudget(_ byte: UInt8, at uptime: Duration) -> Bool {
        if secondBegan.map({ uptime - $0 >= .seconds(1) }) ?? true {
            (secondBegan, saidLines, saidBytes) = (uptime, 0, 0)
        }
        saidBytes += 1
        if byte == UInt8(ascii: "\n") { saidLines += 1 }
        return saidBytes <= Self.maximumBytesPerSecond && saidLines <= Self.maximumLinesPerSecond
    }

    private static let floodReason =
        "the plugin says more than \(maximumLinesPerSecond) lines or \(maximumBytesPerSecond >> 20) MiB in a second"

    private mutating func takeLine(at uptime: Duration) -> [Output] {
        defer { line.removeAll(keepingCapacity: true) }
        guard line.contains(where: { $0 > 0x20 }) else { return [] }
        do throws(PluginMessage.Problem) {
            return try PluginMessage.read(line).map { take($0, at: uptime) } ?? []
        } catch {
            badLines += 1
            let note = Output.note(.warning, "a line of the plugin \(error.message)")
            return badLines < Self.maximumBadLines ? [note] : [note] + giveUp("too many lines cannot be read")
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
        case (.ready, _): return [.note(.warning, "the plugin says ready twice")]
        case (.bye(let reason), .closing): return end(reason.isEmpty ? "closed" : reason)
        case (.bye(let reason), _):
            return giveUp(reason.isEmpty ? "the plugin said bye" : "the plugin said bye: \(reason)")
        case (_, .ready):
            questions.answered(message)
            return [.deliver(message)]
        case (_, .greeting): return [.note(.warning, "a message before ready is left out")]
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

import CPostgres
import Fleet
import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A connection of libpq, which one thread uses at a time. All waiting is done here, with an end.
final class PostgresHandle {
    /// How a wait ended.
    enum Wait {
        case ready
        case timedOut
        case failed
    }

    /// How often a connection that is being made looks whether its caller still waits.
    private static let part = Duration.milliseconds(50)

    private let connection: OpaquePointer

    /// Begins a connection. Nil without memory.
    init?(_ settings: [(keyword: String, value: String)]) {
        let keywords = settings.map(\.keyword) as [String?] + [nil]
        let values = settings.map(\.value) as [String?] + [nil]
        let started = withCStrings(keywords) { keywords in
            withCStrings(values) { values in adtop_pq_start(keywords, values) }
        }
        guard let started else { return nil }
        connection = started
    }

    deinit {
        adtop_pq_finish(connection)
    }

    /// The settings that were used; nil without memory.
    var settings: PostgresSettings? { adtop_pq_settings(connection).map(PostgresSettings.init(taking:)) }
    var socket: Int32 { adtop_pq_socket(connection) }
    var serverVersion: Int { Int(adtop_pq_server_version(connection)) }
    var needsPassword: Bool { adtop_pq_needs_password(connection) != 0 }
    var isOpen: Bool { adtop_pq_is_open(connection) != 0 }
    /// The library's words for the newest error.
    var errorWords: String { adtop_pq_error(connection).map { String(cString: $0) } ?? "" }
    var user: String { adtop_pq_user(connection).map { String(cString: $0) } ?? "" }
    var database: String { adtop_pq_database(connection).map { String(cString: $0) } ?? "" }

    /// The SQLSTATE of the first warning since ``forgetWarnings()``.
    var warning: String? {
        adtop_pq_warnings(connection) > 0 ? String(cString: adtop_pq_warning_state(connection)) : nil
    }

    func forgetWarnings() { adtop_pq_forget_warnings(connection) }

    /// Bytes that came since the newest call was sent.
    var received: Int { adtop_pq_received(connection) }

    /// The SQLSTATE of an error of the server while connecting. There it is not in a field, but at the end of a line, in a form that is
    /// not translated: `FATAL:  28P01`. Of several hosts that of the last one counts. The library may say more below it: which file it
    /// had the password from.
    var openingState: String? {
        errorWords.split(whereSeparator: \.isNewline).reversed().lazy.compactMap(Self.state).first
    }

    private static func state(in line: Substring) -> String? {
        let state = line.suffix(5)
        let isCode = state.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        return state.utf8.count == 5 && isCode && line.dropLast(5).hasSuffix(":  ") ? String(state) : nil
    }

    /// Continues to connect until the session is there, the time is over, or its caller no longer waits.
    /// - Parameter isOver: asked every ``part``.
    func connect(
        until deadline: ContinuousClock.Instant, unless isOver: () -> Bool = { false }
    ) -> Wait {
        while true {
            switch Int(adtop_pq_poll(connection)) {
            case Int(ADTOP_PQ_OK): return .ready
            case Int(ADTOP_PQ_READING):
                guard case .ready = wait(POLLIN, until: deadline, unless: isOver) else { return .timedOut }
            case Int(ADTOP_PQ_WRITING):
                guard case .ready = wait(POLLOUT, until: deadline, unless: isOver) else { return .timedOut }
            default: return .failed
            }
        }
    }

    /// Sends a statement, or a script of several where there are no parameters, and writes all of it.
    func send(
        _ sql: String, _ parameters: [PostgresParameter]?, until deadline: ContinuousClock.Instant
    ) -> Wait {
        let isSent =
            if let parameters {
                withCStrings(parameters.map(\.text)) { values in
                    adtop_pq_send(connection, sql, Int32(parameters.count), values)
                }
            } else {
                adtop_pq_send_script(connection, sql)
            }
        guard isSent != 0 else { return .failed }
        while true {
            switch adtop_pq_flush(connection) {
            case 0: return .ready
            case 1:
                // The server may wait for its own answer to be read.
                let ended = wait(POLLIN | POLLOUT, until: deadline)
                guard case .ready = ended else { return ended }
                guard consume() else { return .failed }
            default: return .failed
            }
        }
    }

    /// Waits until a result can be taken without waiting.
    func awaitResult(atMost bytes: Int, until deadline: ContinuousClock.Instant) -> Wait {
        while adtop_pq_is_busy(connection) != 0 {
            let ended = wait(POLLIN, until: deadline)
            guard case .ready = ended else { return ended }
            guard received <= bytes, consume() else { return .failed }
        }
        return .ready
    }

    /// Reads what is there; false where the connection has ended.
    func consume() -> Bool { adtop_pq_consume(connection) != 0 }

    /// Takes the notifications that were read; whether another session sent one.
    func takeNotifications() -> Bool { adtop_pq_take_notifications(connection) > 0 }

    /// The next result; nil at the end.
    func nextResult() -> PostgresResult? { adtop_pq_next(connection).map(PostgresResult.init) }

    private func wait(
        _ events: Int32, until deadline: ContinuousClock.Instant, unless isOver: () -> Bool
    ) -> Wait {
        while !isOver() {
            let ended = wait(events, until: min(deadline, .now + Self.part))
            guard case .timedOut = ended, .now < deadline else { return ended }
        }
        return .timedOut
    }

    private func wait(_ events: Int32, until deadline: ContinuousClock.Instant) -> Wait {
        var descriptor = pollfd(fd: socket, events: Int16(events), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return .timedOut }
            let ready = poll(&descriptor, 1, Int32(clamping: left.inMilliseconds + 1))
            if ready > 0 { return .ready }
            if ready < 0, errno != EINTR { return .failed }
        }
    }
}

/// Calls `body` with C strings that live as long as the call.
func withCStrings<Result>(
    _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let copies = texts.map { $0.flatMap { strdup($0) } }
    defer { for copy in copies { free(copy) } }
    return copies.map { $0.map { UnsafePointer($0) } }.withUnsafeBufferPointer { buffer in
        // An empty array has no address, and the function reads none of it.
        guard let base = buffer.baseAddress else {
            var none: UnsafePointer<CChar>?
            return withUnsafePointer(to: &none, body)
        }
        return body(base)
    }
}

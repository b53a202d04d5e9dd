import Dispatch
package import Fleet
import Monitoring
import Ports

/// One connection to a PostgreSQL server, on a thread of its own, because libpq waits. Calls run one after another. A call is a single
/// statement in a transaction of its own. It is never cancelled: where its answer does not come in time the connection is dropped, and
/// whether it was executed is not known (FLT-8).
package actor PostgresConnection {
    /// Bounds of a call.
    package struct Limits: Hashable, Sendable {
        /// How long the answer is waited for.
        package var time: Duration
        /// Size of the answer.
        package var bytes: Int

        package init(time: Duration = .seconds(10), bytes: Int = 64 << 20) {
            self.time = time
            self.bytes = bytes
        }
    }

    private let executor: QueueExecutor
    private let opening: PostgresOpening
    private var handle: PostgresHandle?
    private let line: PostgresLine
    private let turn: HostTurn
    /// Called when another session notified; nil where nothing is listened to.
    private let heard: (@Sendable () -> Void)?
    private var listening: PostgresListening?
    /// Where it leads; before ``open()`` only the address is known.
    package private(set) var place: StorePlace

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - application: the name under which the server lists the connection: `adtop/a1`.
    ///   - task: what the role must be allowed to do, for the sentence where it is not.
    ///   - heard: called when another session changed something that agents want to know (FLT-14); nil does not listen.
    package init(
        _ address: PostgresAddress, application: String, task: StoreTask, heard: (@Sendable () -> Void)? = nil
    ) {
        self.init(address, application: application, task: task, turn: HostTurn(), heard: heard)
    }

    /// - Parameter turn: with which of several hosts an attempt begins; shared with other connections.
    init(
        _ address: PostgresAddress, application: String, task: StoreTask, turn: HostTurn,
        heard: (@Sendable () -> Void)? = nil
    ) {
        self.heard = heard
        self.turn = turn
        let line = PostgresLine()
        self.line = line
        executor = QueueExecutor(label: "adtop.postgres")
        opening = PostgresOpening(
            address: address, application: application, task: task, turn: turn, line: line)
        place = StorePlace(server: "the store", host: "the store", user: "", database: "")
    }

    /// Connects, unless it is connected. A connection that was dropped meanwhile is none: no call uses it.
    package func open() throws(StoreProblem) {
        guard handle == nil else { return }
        let (handle, place) = try opening.open()
        guard line.connected(handle.socket) else { throw .lost(place: place.server) }
        self.handle = handle
        self.place = place
        listen(on: handle)
    }

    /// The version of the server as a number: 150018.
    package var serverVersion: Int { handle?.serverVersion ?? 0 }

    package var isOpen: Bool { handle != nil }

    /// Calls one statement. On `lost`, `noAnswer` and `answerTooLarge` the connection is closed.
    package func call(
        _ sql: String, _ parameters: [PostgresParameter] = [], within limits: Limits = Limits()
    ) throws(StoreProblem) -> PostgresAnswer {
        try run(sql, parameters, limits)
    }

    /// Runs several statements without parameters and returns the answer of the last one.
    @discardableResult
    package func run(script: String, within limits: Limits = Limits()) throws(StoreProblem) -> PostgresAnswer {
        try run(script, nil, limits)
    }

    /// Ends the connection at once and for good, also while a call waits, which then throws `lost`, and while it is made: then no call is
    /// executed over it, and the next attempt begins with another host.
    package nonisolated func drop() {
        if let trial = line.drop() { turn.failed(trial) }
    }

    /// Closes the connection in order.
    package func close() {
        listening = nil
        handle = nil
        line.closeSocket()
    }

    private func run(
        _ sql: String, _ parameters: [PostgresParameter]?, _ limits: Limits
    ) throws(StoreProblem) -> PostgresAnswer {
        guard let handle, !line.isDropped else { throw .lost(place: place.server) }
        line.waits(true)
        defer { line.waits(false) }
        handle.forgetWarnings()
        let deadline = ContinuousClock.now + limits.time
        do throws(StoreProblem) {
            let sent = handle.send(sql, parameters, until: deadline)
            if case .timedOut = sent { try requireReady(sent, handle, limits) }
            let answer = try answer(of: handle, until: deadline, limits)
            notice(handle)
            // A server that ended the session may have written why.
            guard case .ready = sent else { throw StoreProblem.lost(place: place.server) }
            return answer
        } catch {
            if !handle.isOpen || error.leavesCallOpen { close() }
            // The lock may be that of a commit which no standby will confirm: a former primary that lives on beside the promoted one.
            if error.state == StoreProblem.lockTimeout, let trial = line.trial { turn.failed(trial) }
            throw error
        }
    }

    private func answer(
        of handle: PostgresHandle, until deadline: ContinuousClock.Instant, _ limits: Limits
    ) throws(StoreProblem) -> PostgresAnswer {
        var (columns, values, bytes): ([String], [String?], Int) = ([], [], 0)
        var failure: ServerError?
        var (isLost, isNewStatement) = (false, true)
        while true {
            // A message is read whole, and TLS and headers take some bytes more.
            try requireReady(handle.awaitResult(atMost: 2 * limits.bytes + 65_536, until: deadline), handle, limits)
            guard let result = handle.nextResult() else { break }
            guard result.isFine else {
                failure = failure ?? result.error
                isLost = isLost || result.error == nil
                // A connection in the middle of a copy ends with this.
                if !handle.isOpen || result.error == nil { break }
                continue
            }
            if isNewStatement { (columns, values) = (result.columns, []) }
            isNewStatement = result.endsStatement
            bytes += result.appendValues(to: &values)
            guard bytes <= limits.bytes else { throw .answerTooLarge(bytes: limits.bytes) }
        }
        if let failure { throw StoreProblem(failure, at: place, for: opening.task) }
        guard !isLost else { throw .lost(place: place.server) }
        return PostgresAnswer(columns: columns, values: values, warning: handle.warning)
    }

    /// Behind a pooler, or with a relative of PostgreSQL, there may be no notifications. That is no problem: they are hints only.
    private func listen(on handle: PostgresHandle) {
        guard heard != nil, (try? run("LISTEN adtop_fleet", nil, Limits())) != nil else { return }
        listening = PostgresListening(handle.socket, on: executor.queue) { [weak self] in
            self?.assumeIsolated { $0.hear() }
        }
    }

    /// Something came between two calls, or the connection has ended, which the next call reports.
    private func hear() {
        guard let handle, handle.consume() else { return listening = nil }
        notice(handle)
    }

    private func notice(_ handle: PostgresHandle) {
        if handle.takeNotifications() { heard?() }
    }

    private func requireReady(
        _ ended: PostgresHandle.Wait, _ handle: PostgresHandle, _ limits: Limits
    ) throws(StoreProblem) {
        switch ended {
        case .ready: return
        case .timedOut: throw .noAnswer(place: place.server, milliseconds: limits.time.inMilliseconds)
        case .failed:
            guard handle.received <= limits.bytes else { throw .answerTooLarge(bytes: limits.bytes) }
            throw .lost(place: place.server)
        }
    }

}

extension StoreProblem {
    /// A lock was not got in time (PostgreSQL documentation, appendix A).
    fileprivate static let lockTimeout = "55P03"

    /// Whether the call may still be under way at the server, so that the connection cannot be used again.
    fileprivate var leavesCallOpen: Bool {
        switch self {
        case .lost, .noAnswer, .answerTooLarge: true
        default: false
        }
    }
}

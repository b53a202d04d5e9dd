import CPostgres
import Fleet
import Ports

/// Opens a connection: one host after another, each with a limit of its own, and reports of a failure what it was. libpq names errors by
/// words only; here they are told apart by SQLSTATE, by the operating system's error, and by what a second try shows.
struct PostgresOpening {
    /// Seconds for each host.
    static let seconds: Int32 = 5

    let address: PostgresAddress
    /// The name under which the server lists the connection.
    let application: String
    let task: StoreTask
    /// With which host an attempt begins.
    let turn: HostTurn
    /// Knows whether the caller still waits for the connection.
    let line: PostgresLine

    func open() throws(StoreProblem) -> (handle: PostgresHandle, place: StorePlace) {
        let hosts = try hosts()
        var problems: [StoreProblem] = []
        var standby: PostgresHost?
        for trial in turn.trials(of: hosts.count) {
            let host = hosts[trial.place]
            guard line.begins(trial) else {
                turn.failed(trial)
                throw Self.dropped(at: host)
            }
            do throws(StoreProblem) {
                let open = try connect(to: host)
                turn.answered(trial)
                return open
            } catch {
                guard !line.isDropped else { throw error }
                turn.failed(trial)
                problems.append(error)
                if case .standby = error, standby == nil { standby = host }
            }
        }
        // Whoever only reads may do so at a standby, if there is no primary.
        if task == .read, let standby { return try connect(to: standby, session: Self.anySession) }
        // That the others are standbys is as it should be.
        let telling = problems.first { if case .standby = $0 { false } else { true } }
        throw telling ?? problems[0]
    }

    /// The kinds of sessions that are used (PostgreSQL documentation, section 34.1.2, `target_session_attrs`).
    private static let writingSession = "read-write"
    private static let anySession = "any"
    /// The library completes the settings, with the service file and the environment, and ends there: it looks no name up.
    private static let noSession = "none"

    /// The hosts of the address, in their order.
    private func hosts() throws(StoreProblem) -> [PostgresHost] {
        guard let settings = try begin(nil, session: Self.noSession).settings else {
            throw .unreachable(place: "the store", clause: "out of memory")
        }
        // Without the entry no default was filled in.
        if let service = address.service, settings["user"] == nil { throw .unknownService(service) }
        try settings.requireTLS()
        return settings.hosts
    }

    private func begin(_ host: PostgresHost?, session: String) throws(StoreProblem) -> PostgresHandle {
        var settings = [(keyword: "dbname", value: address.text)]
        if let host { settings += [("host", host.name), ("hostaddr", host.address), ("port", host.port)] }
        settings += [
            ("application_name", application), ("connect_timeout", "\(Self.seconds)"), ("client_encoding", "UTF8"),
            ("keepalives", "1"), ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "2"),
            ("tcp_user_timeout", "6000"), ("target_session_attrs", session),
        ]
        guard let handle = PostgresHandle(settings) else {
            throw .unreachable(place: "the store", clause: "out of memory")
        }
        return handle
    }

    /// Connects to the first address of a host that can be used.
    private func connect(
        to host: PostgresHost, session: String = writingSession
    ) throws(StoreProblem) -> (handle: PostgresHandle, place: StorePlace) {
        let end = ContinuousClock.now + .seconds(Int(Self.seconds))
        var first: StoreProblem?
        for place in try places(of: host, until: end) {
            do throws(StoreProblem) {
                return try connect(try begin(place, session: session), place, until: end)
            } catch {
                guard !line.isDropped, error.isOfAddress else { throw error }
                first = first ?? error
            }
        }
        throw first ?? .unreachable(place: host.server, clause: Self.silence)
    }

    private static let silence = "no answer in \(seconds) s"

    /// A host by its addresses that answer. One that has a single address is not tried here; nor is a socket.
    private func places(
        of host: PostgresHost, until end: ContinuousClock.Instant
    ) throws(StoreProblem) -> [PostgresHost] {
        guard !host.isSocket, host.address.isEmpty else { return [host] }
        let lookup = PostgresLookup(end: end)
        let isOver = { [line] in line.isDropped }
        var places: [PostgresHost] = []
        switch lookup.addresses(of: host.name, unless: isOver) {
        case .noHost: throw .unreachable(place: host.server, clause: "no such host")
        case .silence:
            guard !line.isDropped else { throw Self.dropped(at: host) }
            throw .unreachable(place: host.server, clause: "its name was not resolved in \(Self.seconds) s")
        case .addresses(let addresses):
            for address in addresses {
                places.append(PostgresHost(name: host.name, address: address, port: host.port))
            }
        }
        guard places.count > 1 else { return places }
        let (answering, clause) = lookup.answering(places, unless: isOver)
        guard !line.isDropped else { throw Self.dropped(at: host) }
        guard !answering.isEmpty else { throw .unreachable(place: host.server, clause: clause ?? Self.silence) }
        return answering
    }

    private func connect(
        _ handle: PostgresHandle, _ host: PostgresHost, until end: ContinuousClock.Instant
    ) throws(StoreProblem) -> (handle: PostgresHandle, place: StorePlace) {
        let place = StorePlace(server: host.server, host: host.label, user: handle.user, database: handle.database)
        let ended = handle.connect(until: end) { [line] in line.isDropped }
        if case .ready = ended {
            guard handle.serverVersion >= StoreProblem.oldestServer else {
                throw .serverTooOld(version: Self.version(handle.serverVersion))
            }
            return (handle, place)
        }
        throw problem(of: handle, host, place, hasTimedOut: ended == .timedOut)
    }

    private func problem(
        of handle: PostgresHandle, _ host: PostgresHost, _ place: StorePlace, hasTimedOut: Bool
    ) -> StoreProblem {
        guard !line.isDropped else { return Self.dropped(at: host) }
        if let state = handle.openingState {
            return StoreProblem(
                ServerError(state: state, words: "the server rejects the connection"), at: place, for: task)
        }
        if handle.needsPassword { return .passwordMissing(user: place.user) }
        if hasTimedOut { return .unreachable(place: host.server, clause: Self.silence) }
        if let clause = PostgresProbe.clause(for: host, within: Self.seconds) {
            return .unreachable(place: host.server, clause: clause)
        }
        // A session that may only read is rejected by the library, after the server admitted it.
        if let second = try? begin(host, session: Self.anySession),
            second.connect(until: .now + .seconds(Int(Self.seconds)), unless: { [line] in line.isDropped }) == .ready
        {
            return .standby(host: host.label)
        }
        return .noHandshake(place: host.server, words: Self.clause(of: handle.errorWords))
    }

    /// What the library reports, without the address, and without its next line, which may advise not to verify the certificate.
    static func clause(of words: String) -> String {
        let first = words.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        let prefix = first.hasPrefix("connection to server at ") ? first.firstRange(of: " failed: ") : nil
        return StoreProblem.line(prefix.map { String(first[$0.upperBound...]) } ?? first)
    }

    /// Nobody waited for that host any longer.
    private static func dropped(at host: PostgresHost) -> StoreProblem {
        .unreachable(place: host.server, clause: "no answer in time")
    }

    /// `12.4` for 120004.
    private static func version(_ number: Int) -> String {
        number >= 100_000
            ? "\(number / 10_000).\(number % 10_000)" : "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
    }
}

extension StoreProblem {
    /// Whether another address of the same host may be better.
    fileprivate var isOfAddress: Bool {
        switch self {
        case .unreachable, .noHandshake, .standby: true
        default: false
        }
    }
}

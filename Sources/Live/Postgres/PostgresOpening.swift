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
        let first = try begin(nil)
        guard let settings = first.settings else { throw .unreachable(place: "the store", clause: "out of memory") }
        // Without the entry no default was filled in.
        if let service = address.service, settings["user"] == nil { throw .unknownService(service) }
        try settings.requireTLS()
        let hosts = settings.hosts
        var problems: [StoreProblem] = []
        for trial in turn.trials(of: hosts.count) {
            let host = hosts[trial.place]
            guard line.begins(trial) else {
                turn.failed(trial)
                throw Self.dropped(at: host)
            }
            do throws(StoreProblem) {
                let open = try connect(hosts.count == 1 ? first : try begin(host), host)
                turn.answered(trial)
                return open
            } catch {
                guard !line.isDropped else { throw error }
                turn.failed(trial)
                problems.append(error)
            }
        }
        // That the others are standbys is as it should be.
        let telling = problems.first { if case .standby = $0 { false } else { true } }
        throw telling ?? problems[0]
    }

    private func begin(_ host: PostgresHost?, session: String = "read-write") throws(StoreProblem) -> PostgresHandle {
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

    private func connect(
        _ handle: PostgresHandle, _ host: PostgresHost
    ) throws(StoreProblem) -> (handle: PostgresHandle, place: StorePlace) {
        let place = StorePlace(server: host.server, host: host.label, user: handle.user, database: handle.database)
        let ended = handle.connect(until: .now + .seconds(Int(Self.seconds))) { [line] in line.isDropped }
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
        if hasTimedOut { return .unreachable(place: host.server, clause: "no answer in \(Self.seconds) s") }
        if let clause = PostgresProbe.clause(for: host, within: Self.seconds) {
            return .unreachable(place: host.server, clause: clause)
        }
        // A session that may only read is rejected by the library, after the server admitted it.
        if let second = try? begin(host, session: "any"),
            second.connect(until: .now + .seconds(Int(Self.seconds)), unless: { [line] in line.isDropped }) == .ready
        {
            return .standby(host: host.label)
        }
        return .noHandshake(place: host.server, words: StoreProblem.line(handle.errorWords))
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

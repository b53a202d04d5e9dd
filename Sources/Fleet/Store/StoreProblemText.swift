extension StoreProblem {
    /// One line without a period: *thing: problem; remedy*.
    package var sentence: String {
        switch self {
        case .noLibrary: "store: libpq is not installed; install the package libpq5"
        case .wrongAddress, .passwordInAddress, .unknownService, .weakTLS: addressSentence
        case .unreachable, .noHandshake, .lost, .noAnswer, .away, .standby, .noSlots, .diskFull: connectionSentence
        case .passwordMissing, .passwordRejected, .notAdmitted, .noRights: rightsSentence
        case .noDatabase, .noFleet, .serverTooOld, .newerSchema, .olderSchema, .laterFleet, .earlierFleet,
            .protocolNotAdmitted:
            versionSentence
        case .notDurable, .otherServer, .forgetful: serverSentence
        case .nameInUse(let name, let place, let pid):
            "agent: the name '\(name)' is in use at \(place) (pid \(pid)); choose another --name"
        case .fenced: "agent: this incarnation was declared dead; it begins again without viewers"
        case .observing: "store: the fleet observes; adtop fleet mode fire changes that"
        case .answerTooLarge(let bytes): "store: an answer has more than \(bytes) bytes; ask for less"
        case .strangeAnswer(let what):
            "store: \(what) is not what this adtop expects; run the adtop that made the fleet"
        case .failed(let state, let words): "store: \(words) (SQLSTATE \(state))"
        }
    }

    /// The code with which a verb ends: 1 problem, 2 wrong usage, 3 not reached or no rights, 4 no fleet that can be used.
    package var exitCode: Int32 {
        switch self {
        case .notDurable, .fenced, .observing: 1
        case .wrongAddress, .passwordInAddress, .unknownService, .weakTLS, .nameInUse: 2
        case .noDatabase, .noFleet, .serverTooOld, .newerSchema, .olderSchema, .laterFleet, .earlierFleet,
            .protocolNotAdmitted, .otherServer, .forgetful, .strangeAnswer:
            4
        case .noLibrary, .unreachable, .noHandshake, .passwordMissing, .passwordRejected, .notAdmitted, .noRights,
            .standby, .diskFull, .noSlots, .away, .lost, .noAnswer, .answerTooLarge, .failed:
            3
        }
    }

    private var addressSentence: String {
        switch self {
        case .wrongAddress(let text):
            text.isEmpty
                ? "no store: give --store ADDRESS, or set ADTOP_STORE"
                : "store: '\(text)' is no PostgreSQL address; write postgres://HOST:PORT/DATABASE or service=NAME"
        case .unknownService(let name):
            "store: there is no service '\(name)'; define it in ~/.pg_service.conf, or set PGSERVICEFILE"
        case .weakTLS(let host, let given):
            "store: \(host) needs sslmode=verify-full (given: \(given)); set it and sslrootcert, or use a socket"
        default:
            """
            store: everybody on this machine can read a password in an argument; put it into ~/.pgpass, PGPASSWORD \
            or a service file
            """
        }
    }

    private var connectionSentence: String {
        switch self {
        case .unreachable(let place, let clause): "store: \(place): \(clause); is the server running?"
        case .noHandshake(let place, let words): "store: \(place): \(words); look at sslmode and sslrootcert"
        case .noAnswer(let place, let milliseconds):
            "store: \(place): no answer in \(milliseconds) ms; is the server overloaded?"
        case .away(let state): "store: the server is stopping, starting or read-only (SQLSTATE \(state)); try again"
        case .standby(let host): "store: \(host) is a standby; name the primary, or several hosts"
        case .diskFull: "store: no space left on the server; nothing is sent until there is"
        case .noSlots(let count):
            """
            store: all \(count.map { "\($0) " } ?? "")connections of the server are in use; raise max_connections \
            (two for each agent) or use a pooler
            """
        case .lost(let place): "store: \(place): the connection was closed; is the server running?"
        default: "store: no connection; is the server running?"
        }
    }

    private var rightsSentence: String {
        switch self {
        case .passwordMissing(let user):
            "store: \(user) needs a password; put it into ~/.pgpass, PGPASSWORD or a service file"
        case .passwordRejected(let user):
            "store: the password of \(user) was rejected; look at ~/.pgpass, PGPASSWORD or the service file"
        case .notAdmitted(let user):
            "store: the server admits \(user) from here by no rule; add one to pg_hba.conf"
        case .noRights(let user, .agent): "store: \(user) may not run agents; use a role in adtop_agent"
        case .noRights(let user, .operate):
            "store: \(user) may not change the list or the agents; use a role in adtop_operator"
        case .noRights(let user, .create): "store: \(user) may not create schema fleet; run init as owner"
        case .noRights(let user, .own): "store: \(user) is not the owner of schema fleet; use the role that ran init"
        case .noRights(let user, .read): "store: \(user) may not read the fleet; use a role in adtop_reader"
        default: "store: no rights; use another role"
        }
    }

    private var versionSentence: String {
        switch self {
        case .noDatabase(let name): "store: database '\(name)' does not exist; create it, then run adtop fleet init"
        case .noFleet(let database):
            "store: there is no fleet in database '\(database)'; run adtop fleet init as its owner"
        case .serverTooOld(let version): "store: PostgreSQL \(version) is too old; 14 or later is needed"
        case .newerSchema(let version):
            """
            store: schema \(version) is newer than this adtop knows (\(Self.knownSchemas.lowerBound) to \
            \(Self.knownSchemas.upperBound)); install the adtop that made it
            """
        case .olderSchema(let version):
            """
            store: schema \(version) is older than this adtop needs (\(Self.knownSchemas.lowerBound)); run adtop \
            fleet init
            """
        case .laterFleet: "store: a later adtop has upgraded this fleet; run fleet init of that one"
        case .earlierFleet:
            "store: an earlier adtop made the functions of this fleet; run adtop fleet init of this one"
        case .protocolNotAdmitted(let range):
            """
            store: agents of protocol \(Self.ownProtocol) are not admitted (\(range.lowest) to \(range.highest)); \
            install \(range.lowest > Self.ownProtocol ? "a later" : "an earlier") adtop
            """
        default: "store: there is no fleet; run adtop fleet init"
        }
    }

    private var serverSentence: String {
        switch self {
        case .otherServer(let timeline, let known):
            """
            store: this is timeline \(timeline), the fleet knows \(known); stop every agent, then run adtop fleet \
            accept-server
            """
        case .forgetful(let setting):
            "store: the server runs with \(setting)=off and would forget in a crash what was sent; switch it on"
        default:
            """
            store: durability is strict and synchronous_standby_names is empty; set it, or run adtop fleet \
            durability
            """
        }
    }
}

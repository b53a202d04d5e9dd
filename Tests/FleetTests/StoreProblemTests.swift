import Fleet
import Testing

struct StoreProblemTests {
    private static let place = StorePlace(server: "db:5432", host: "db", user: "adtop_agent", database: "adtop")

    private static func problem(_ state: String, detail: String? = nil, for task: StoreTask = .agent) -> StoreProblem {
        StoreProblem(ServerError(state: state, words: "words", detail: detail), at: place, for: task)
    }

    @Test func namesWhatTheServerReported() {
        #expect(Self.problem("28P01") == .passwordRejected(user: "adtop_agent"))
        #expect(Self.problem("28000") == .notAdmitted(user: "adtop_agent"))
        #expect(Self.problem("3D000") == .noDatabase("adtop"))
        #expect(Self.problem("42501", for: .create) == .noRights(user: "adtop_agent", task: .create))
        #expect(Self.problem("42883") == .noFleet(database: "adtop"))
        #expect(Self.problem("53100") == .diskFull)
        #expect(Self.problem("53300") == .noSlots(nil))
        #expect(Self.problem("57P03") == .away(state: "57P03"))
        #expect(Self.problem("22P02") == .failed(state: "22P02", words: "words"))
    }

    @Test func readsWhatTheFleetsFunctionsReport() {
        #expect(Self.problem("TF001") == .fenced)
        #expect(Self.problem("TF004") == .notDurable)
        #expect(Self.problem("TF005") == .observing)
        #expect(
            Self.problem("TF003", detail: #"{"lowest": 2, "highest": 3}"#)
                == .protocolNotAdmitted(ProtocolRange(lowest: 2, highest: 3)))
        #expect(
            Self.problem("TF006", detail: #"{"name": "a1", "place": "host2:/var/lib/adtop", "pid": 4242}"#)
                == .nameInUse(name: "a1", place: "host2:/var/lib/adtop", pid: 4242))
        #expect(
            Self.problem("TF007", detail: #"{"timeline": "00000002", "known": "00000001"}"#)
                == .otherServer(timeline: "00000002", known: "00000001"))
    }

    /// A detail that is missing or is something else leaves the server's words.
    @Test(arguments: [nil, "", "[]", #"{"lowest": "x", "highest": 1e99}"#])
    func keepsTheWordsWithoutDetail(_ detail: String?) {
        #expect(Self.problem("TF003", detail: detail) == .failed(state: "TF003", words: "words"))
    }

    static let sentences: [(StoreProblem, Int32, String)] = [
        (.noLibrary, 3, "store: libpq is not installed; install the package libpq5"),
        (
            .wrongAddress("postgre://db"), 2,
            "store: 'postgre://db' is no PostgreSQL address; write postgres://HOST:PORT/DATABASE or service=NAME"
        ),
        (
            .weakTLS(host: "db.example.com", given: "prefer"), 2,
            "store: db.example.com needs sslmode=verify-full (given: prefer); set it and sslrootcert, or use a socket"
        ),
        (
            .unreachable(place: "db:5432", clause: "connection refused"), 3,
            "store: db:5432: connection refused; is the server running?"
        ),
        (
            .passwordRejected(user: "adtop_agent"), 3,
            "store: the password of adtop_agent was rejected; look at ~/.pgpass, PGPASSWORD or the service file"
        ),
        (
            .notAdmitted(user: "adtop_agent"), 3,
            "store: the server admits adtop_agent from here by no rule; add one to pg_hba.conf"
        ),
        (.noDatabase("adtop"), 4, "store: database 'adtop' does not exist; create it, then run adtop fleet init"),
        (
            .noFleet(database: "adtop"), 4,
            "store: there is no fleet in database 'adtop'; run adtop fleet init as its owner"
        ),
        (
            .noRights(user: "adtop_reader", task: .agent), 3,
            "store: adtop_reader may not run agents; use a role in adtop_agent"
        ),
        (
            .noRights(user: "anna", task: .create), 3,
            "store: anna may not create schema fleet; run init as owner"
        ),
        (.serverTooOld(version: "12.4"), 4, "store: PostgreSQL 12.4 is too old; 14 or later is needed"),
        (
            .newerSchema(3), 4,
            "store: schema 3 is newer than this adtop knows (1 to 1); install the adtop that made it"
        ),
        (.laterFleet, 4, "store: a later adtop has upgraded this fleet; run fleet init of that one"),
        (
            .earlierFleet, 4,
            "store: an earlier adtop made the functions of this fleet; run adtop fleet init of this one"
        ),
        (
            .protocolNotAdmitted(ProtocolRange(lowest: 2, highest: 2)), 4,
            "store: agents of protocol 1 are not admitted (2 to 2); install a later adtop"
        ),
        (
            .notDurable, 1,
            "store: durability is strict and synchronous_standby_names is empty; set it, or run adtop fleet durability"
        ),
        (
            .otherServer(timeline: "00000002", known: "00000001"), 4,
            "store: this is timeline 00000002, the fleet knows 00000001; stop every agent, then run adtop fleet accept-server"
        ),
        (
            .forgetful(setting: "fsync"), 4,
            "store: the server runs with fsync=off and would forget in a crash what was sent; switch it on"
        ),
        (.standby(host: "db2"), 3, "store: db2 is a standby; name the primary, or several hosts"),
        (.diskFull, 3, "store: no space left on the server; nothing is sent until there is"),
        (
            .noSlots(100), 3,
            "store: all 100 connections of the server are in use; raise max_connections (two for each agent) or use a pooler"
        ),
        (
            .nameInUse(name: "a1", place: "host2:/var/lib/adtop", pid: 4242), 2,
            "agent: the name 'a1' is in use at host2:/var/lib/adtop (pid 4242); choose another --name"
        ),
    ]

    @Test(arguments: sentences)
    func hasOneSentenceAndCode(_ problem: StoreProblem, _ code: Int32, _ sentence: String) {
        #expect(problem.sentence == sentence)
        #expect(problem.exitCode == code)
    }

    @Test func keepsNoSecretOfAURLInTheWords() {
        let words = "invalid value \"https://a.example/live.m3u8?sessid=s3cret\"\nCONTEXT: line 1"
        let problem = StoreProblem(ServerError(state: "22023", words: words), at: Self.place, for: .agent)
        #expect(!problem.sentence.contains("s3cret"))
        #expect(!problem.sentence.contains("\n"))
    }

    /// What passes is waited for, and what a person has to change is not.
    @Test func tellsWhatLasts() {
        let closed = StoreProblem.noHandshake(place: "db:5432", words: "closed")
        let refused = StoreProblem.unreachable(place: "db:5432", clause: "connection refused")
        for passing in [
            refused, .away(state: "57P03"), .noSlots(100), .diskFull, .standby(host: "db2"), .lost(place: "db:5432"),
            .noAnswer(place: "db:5432", milliseconds: 5_000), .failed(state: "23505", words: "twice"),
        ] {
            #expect(!passing.lasts(after: nil) && !passing.lasts(after: passing), "\(passing)")
        }
        for lasting in [
            StoreProblem.passwordRejected(user: "a"), .passwordMissing(user: "a"), .notAdmitted(user: "a"),
            .noRights(user: "a", task: .agent), .noDatabase("adtop"), .noFleet(database: "adtop"), .newerSchema(3),
            .serverTooOld(version: "12.4"), .forgetful(setting: "fsync"), .weakTLS(host: "db", given: "prefer"),
            .laterFleet, .earlierFleet,
        ] {
            #expect(lasting.lasts(after: nil), "\(lasting)")
        }
        #expect(!closed.lasts(after: nil) && !closed.lasts(after: refused))
        #expect(closed.lasts(after: closed))
    }
}

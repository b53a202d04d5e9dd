import Fleet
import FleetSchema
import Monitoring
import ScriptedServers
import Testing

@testable import Live

/// The functions and views of a fleet's store, which `fleet init` of each program replaces by its own.
@Suite(.enabled(if: TestDatabase.isPossible, "PostgreSQL is not installed (scripts/setup peers)"))
struct FleetFunctionsTests {
    /// A later program with the same schema may have changed what functions do: those of this one would undo that.
    @Test func aLaterProgramsFleetIsLeftAlone() async throws {
        let fleet = try await FleetFixture()
        func set(_ version: Int) async throws {
            try await fleet.owner.run(
                script: """
                    CREATE OR REPLACE FUNCTION fleet.functions_version() RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT \(version)'
                    """)
        }
        // The same arguments and results, and another body.
        try await fleet.owner.run(
            script: """
                CREATE OR REPLACE FUNCTION fleet.schema_version() RETURNS int LANGUAGE sql STABLE SECURITY DEFINER
                SET search_path = pg_catalog, pg_temp AS 'SELECT schema_version + 0 FROM fleet.store';
                DROP FUNCTION fleet.hosts
                """)
        try await set(StoreSchema.functionsVersion + 1)
        #expect(try await storeProblem { try await fleet.register(for: .create).create() } == .laterFleet)
        #expect(try await fleet.count("pg_proc WHERE prosrc LIKE '%schema_version + 0%'") == 1)
        #expect(try await fleet.count("pg_proc WHERE proname = 'hosts'") == 0)
        try await set(StoreSchema.functionsVersion)
        #expect(try await fleet.register(for: .create).create().replaced == 2)
        #expect(try await fleet.count("pg_proc WHERE prosrc LIKE '%schema_version + 0%'") == 0)
        // Earlier programs kept no version.
        try await fleet.owner.run(script: "DROP FUNCTION fleet.functions_version; DROP FUNCTION fleet.hosts")
        #expect(try await fleet.register(for: .create).create().replaced == 2)
    }

    /// Functions that only became better are no reason to reject an agent: the earlier ones serve it until somebody runs init.
    @Test func anAgentAcceptsWhatHasAllThatItCalls() async throws {
        let fleet = try await FleetFixture()
        try await fleet.owner.run(
            script: """
                CREATE OR REPLACE FUNCTION fleet.functions_version() RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 7'
                """)
        try await fleet.owner.requireFunctions(from: 6)
        try await fleet.owner.requireFunctions(from: 7)
        #expect(try await storeProblem { try await fleet.owner.requireFunctions(from: 8) } == .earlierFleet)
    }

    /// An agent that calls functions which the store lacks would wait for them in silence.
    @Test(arguments: [
        "DROP FUNCTION fleet.functions_version", "REVOKE EXECUTE ON FUNCTION fleet.functions_version FROM adtop_agent",
        """
        CREATE OR REPLACE FUNCTION fleet.functions_version() RETURNS int LANGUAGE sql IMMUTABLE
        AS 'SELECT \(StoreSchema.lowestFunctionsVersion - 1)'
        """,
    ])
    func anEarlierProgramsFleetAdmitsNoAgent(earlier: String) async throws {
        let fleet = try await FleetFixture()
        try await TestRoles.make(fleet.database)
        _ = try await fleet.register(for: .create).create()
        let store = PostgresStore(
            try PostgresAddress(fleet.database.address(as: "adtop_agent")),
            for: PostgresStore.Agent(name: "a", version: "test", process: 1), time: ContinuousTimeSource())
        try await fleet.owner.run(script: earlier)
        let start = StoreCall.start(name: "a", place: "a")
        #expect(await store.perform(start) == .failed(.earlierFleet))
        #expect(try await fleet.count("fleet.agent") == 0)
        _ = try await fleet.register(for: .create).create()
        guard case .answered(.started, _) = await store.perform(start) else {
            Issue.record("not admitted after init")
            return
        }
        await store.close()
    }
}

/// What shows without a server.
@Suite struct FunctionsVersionTests {
    /// Raise `functionsVersion` with each change of functions.sql, and note the hash of both here.
    @Test func aChangeOfTheFunctionsRaisesTheirVersion() {
        #expect(StoreSchema.functionsVersion == 5)
        #expect(Self.hash(StoreSchema.functions) == 0x9616_8c7b_ada4_a0a7)
    }

    /// Raise `lowestFunctionsVersion` to `functionsVersion` where agents are given a function that stores of the former version lack, or one with
    /// other arguments or results, and note the hash of all of these here. Where agents rely on what the body of a function does since, raise it, too.
    @Test func whatAgentsCallRaisesTheLowestVersion() throws {
        let agents = try #require(
            StoreSchema.rights.split(separator: "('adtop_agent', '{").last?.split(separator: "}").first)
        let names = Set(agents.split { ", \n".contains($0) }.map(String.init))
        let signatures = StoreSchema.functions.split(separator: "CREATE OR REPLACE FUNCTION fleet.").dropFirst()
            .compactMap { $0.split(separator: "LANGUAGE").first }
            .filter { names.contains(String($0.prefix { $0 != "(" })) }
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        #expect(signatures.count == names.count)
        #expect(StoreSchema.lowestFunctionsVersion == 4)
        #expect(StoreSchema.lowestFunctionsVersion <= StoreSchema.functionsVersion)
        #expect(Self.hash(signatures.sorted().joined(separator: "\n")) == 0xd3d9_10c7_54fc_6c89)
    }

    /// FNV-1a.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}

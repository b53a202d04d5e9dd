import ArgumentParser
import Fleet
import Live
import Ports

/// `adtop fleet init`
struct FleetInitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create a fleet's schema in a database, or bring its functions and rights up to date.",
        discussion: """
            Run it as the owner of the database, which needs no superuser. Create the database and the roles \
            adtop_agent, adtop_operator and adtop_reader before; after adding a role, run it again. A new fleet observes. \
            A fleet that is there gets the functions and views of this adtop, while its agents are at work.

            Examples:
              adtop fleet init --store postgres://adtop_owner@localhost/adtop
              adtop fleet init --store service=fleet

            Exit codes: 0 success, 2 usage error, 3 store not reached or no rights, 4 server too old or schema not known.
            """)

    @OptionGroup(title: "Store") var store: FleetStoreOptions

    func run() async throws {
        let made = try await withStoreProblems { () async throws(StoreProblem) in
            let register = FleetRegister(try store.address(), for: .create)
            return try await register.create()
        }
        Output.line(
            made.isNew
                ? "created a fleet in database '\(made.database)' (schema \(made.version)); it observes until adtop fleet mode fire"
                : "there is a fleet in database '\(made.database)' (schema \(made.version)); \(Self.words(made.replaced))"
        )
        if !made.roles.isEmpty { Output.line("roles with rights: \(made.roles.joined(separator: ", "))") }
        if !made.missingRoles.isEmpty {
            Output.line(
                "roles that do not exist: \(made.missingRoles.joined(separator: ", ")); create them and run init again")
        }
    }

    private static func words(_ replaced: Int) -> String {
        replaced == 0
            ? "its functions and views are those of this adtop"
            : "replaced \(replaced) of its functions and views by those of this adtop"
    }
}

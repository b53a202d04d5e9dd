/// The schema of a fleet's store as the scripts that make it, embedded in the program.
package enum StoreSchema {
    /// Its version; one of `StoreProblem.knownSchemas`.
    package static let version = 1
    /// The version of ``functions``, which the store keeps. Each change of them raises it: `init` of an earlier program then leaves those of a later
    /// one as they are.
    package static let functionsVersion = 5
    /// The lowest version of them that has all functions which agents of this program call, each with the arguments and results that they expect.
    /// A store that has it serves these agents without another `init`; one that has a later version does, too: a function whose arguments or
    /// results change gets another name.
    package static let lowestFunctionsVersion = 4
    /// Makes tables, functions, views and the first rows. Run once.
    package static let creation =
        String(decoding: PackageResources.fleet_sql, as: UTF8.self) + functions
        + String(decoding: PackageResources.first_sql, as: UTF8.self)
    /// Makes functions and views, or replaces them by those of this program. May be run again.
    package static let functions =
        String(decoding: PackageResources.functions_sql, as: UTF8.self) + """
            CREATE OR REPLACE FUNCTION fleet.functions_version() RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT \(functionsVersion)';

            """
    /// Gives the roles that exist what they need. May be run again.
    package static let rights = String(decoding: PackageResources.rights_sql, as: UTF8.self)
    /// The roles that get rights.
    package static let roles = ["adtop_agent", "adtop_operator", "adtop_reader"]
}

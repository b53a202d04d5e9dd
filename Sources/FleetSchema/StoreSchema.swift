/// The schema of a fleet's store as the scripts that make it, embedded in the program.
package enum StoreSchema {
    /// Its version; one of `StoreProblem.knownSchemas`.
    package static let version = 1
    /// Makes tables, functions and views. Run once.
    package static let creation = String(decoding: PackageResources.fleet_sql, as: UTF8.self)
    /// Gives the roles that exist what they need. May be run again.
    package static let rights = String(decoding: PackageResources.rights_sql, as: UTF8.self)
    /// The roles that get rights.
    package static let roles = ["adtop_agent", "adtop_operator", "adtop_reader"]
}

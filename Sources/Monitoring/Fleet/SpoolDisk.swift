package import Fleet

/// Where an agent keeps what the store does not have yet, for the next process at its place.
///
/// Contract: `read` is called once and before anything else, and gives what was kept and not cleared, in order; rows whose bytes are
/// damaged, and those after them, are none. `carryOut` returns nil when the change is written, so that it outlives the process, and else
/// why not, as a clause; what was kept before is then still there. Changes are carried out one after the other.
package protocol SpoolDisk: Sendable {
    func read() async -> SpooledRows
    func carryOut(_ change: SpoolChange) async -> String?
}

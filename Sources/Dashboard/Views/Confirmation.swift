/// A question that must be answered before anything else.
package enum Confirmation: Sendable, Equatable {
    /// How many hosts the question names.
    static let namedHosts = 5

    /// Send real beacons to that many hosts; `hosts` names some of them.
    case arm(hostCount: Int, hosts: [String])
    /// Send `count` notices of the auction with that number.
    case fireNotices(auction: Int, count: Int, hosts: [String])
    /// Run a command of the user's own.
    case run(CommandRun)
    /// End all sessions, of which that many send beacons.
    case quit(firing: Int)
}

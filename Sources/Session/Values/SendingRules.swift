/// What limits the sending of beacons and notices, and what a stream may name, beside the reporting mode.
package struct SendingRules: Sendable, Hashable {
    /// `--readonly`: arming and sending are disabled throughout.
    package var isReadonly = false
    /// Whether `mode` is the default of the address and not a choice: a loopback session then reaches loopback collectors
    /// only.
    package var firesByDefault = true
    /// `--allow-private`: what a public stream names may be requested at private and loopback addresses.
    package var allowsPrivate = false
    /// Hosts that beacons may be sent to, with their subdomains; empty allows all. What a public stream names may be
    /// requested from them at any address.
    package var allowHosts: [String] = []
    /// `--fire-anyway`: what the service of the stream may report is sent too.
    package var reportsAnyway = false
    /// Continues to send without a journal: at-most-once delivery then holds for this process only.
    package var sendsWithoutJournal = false

    /// The defaults: a session that sends by default reaches loopback collectors only, and nothing leaves without a journal.
    package init() {}
}

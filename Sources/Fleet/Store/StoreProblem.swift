/// Why the store cannot be used, or rejected a call. Decisions look at the case, never at a sentence. No case holds a password.
package enum StoreProblem: Error, Hashable, Sendable {
    case noLibrary
    /// The text is masked.
    case wrongAddress(String)
    case passwordInAddress
    case unknownService(String)
    case weakTLS(host: String, given: String)
    /// No connection; a clause says why.
    case unreachable(place: String, clause: String)
    /// The server was reached and no session came about: TLS, mostly. The words are the library's.
    case noHandshake(place: String, words: String)
    case passwordMissing(user: String)
    case passwordRejected(user: String)
    case notAdmitted(user: String)
    case noDatabase(String)
    case noFleet(database: String)
    case noRights(user: String, task: StoreTask)
    case serverTooOld(version: String)
    case newerSchema(Int)
    case olderSchema(Int)
    /// The functions and views of the fleet are of a later program with the same schema.
    case laterFleet
    /// They are of an earlier program and lack what this one calls.
    case earlierFleet
    case protocolNotAdmitted(ProtocolRange)
    case notDurable
    case otherServer(timeline: String, known: String)
    /// A setting without which a crash forgets commits is off.
    case forgetful(setting: String)
    case standby(host: String)
    case diskFull
    /// All connections of the server are in use; their number where it is known.
    case noSlots(Int?)
    case nameInUse(name: String, place: String, pid: Int)
    case fenced
    case observing
    /// The server is stopping, starting or read-only.
    case away(state: String)
    /// The connection was closed before the answer was complete: the call was executed or not.
    case lost(place: String)
    /// The answer did not come in time; the connection is closed, and the call was executed or not.
    case noAnswer(place: String, milliseconds: Int64)
    /// The answer is larger than the call allows; the connection is closed.
    case answerTooLarge(bytes: Int)
    /// The answer is not what the call returns.
    case strangeAnswer(String)
    /// Any other error of the server, with its words.
    case failed(state: String, words: String)

    /// Versions of the schema that this program works with.
    package static let knownSchemas = 1...1
    /// Version of the rules between agents and store that this program follows.
    package static let ownProtocol = 1
    /// The newest version of saved sessions that this program reads and writes.
    package static let ownStateVersion = 1
    /// The oldest server, as `server_version_num` has it.
    package static let oldestServer = 140_000
}

/// The protocols that a store admits.
package struct ProtocolRange: Hashable, Sendable {
    package var lowest: Int
    package var highest: Int

    package init(lowest: Int, highest: Int) {
        self.lowest = lowest
        self.highest = highest
    }
}

/// What a connection is opened for, which its role must be allowed to do.
package enum StoreTask: Hashable, Sendable {
    /// Runs an agent.
    case agent
    /// Changes the list, drains, sets the mode.
    case operate
    /// Reads status and reports.
    case read
    /// Creates the schema.
    case create
    /// Changes what only the owner may.
    case own
}

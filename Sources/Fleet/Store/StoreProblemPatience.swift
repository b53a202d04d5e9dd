extension StoreProblem {
    /// Whether waiting is in vain: the problem lasts until a person changes something. An agent that was never admitted ends with it, and waits
    /// for all others to pass: a server that starts, stops, is full or cannot be reached.
    ///
    /// - Parameter previous: the problem of the attempt before. A server that stops may close a connection that is being made, which looks as a
    ///   wrong setting of TLS does; the second time in a row it is the setting.
    package func lasts(after previous: StoreProblem?) -> Bool {
        switch self {
        case .unreachable, .lost, .noAnswer, .away, .standby, .noSlots, .diskFull, .notDurable, .fenced, .observing:
            false
        // Two starts of one place at the same time, a serialization failure, a server without memory: the log has the server's words.
        case .failed: false
        case .noHandshake: if case .noHandshake? = previous { true } else { false }
        case .noLibrary, .wrongAddress, .passwordInAddress, .unknownService, .weakTLS, .passwordMissing,
            .passwordRejected, .notAdmitted, .noDatabase, .noFleet, .noRights, .serverTooOld, .newerSchema,
            .olderSchema, .laterFleet, .earlierFleet, .protocolNotAdmitted, .otherServer, .forgetful, .nameInUse,
            .answerTooLarge, .strangeAnswer:
            true
        }
    }
}

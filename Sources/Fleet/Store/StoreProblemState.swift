extension StoreProblem {
    /// The SQLSTATE of the problem, for metrics: that of the server, or for what a client finds out itself the one that PostgreSQL has for it
    /// (PostgreSQL documentation, appendix A).
    package var state: String {
        switch self {
        case .noLibrary, .wrongAddress, .passwordInAddress, .unknownService, .weakTLS, .unreachable, .noHandshake:
            "08001"
        case .lost, .noAnswer: "08006"
        case .answerTooLarge, .strangeAnswer: "08P01"
        case .serverTooOld, .newerSchema, .olderSchema, .laterFleet, .earlierFleet, .forgetful: "0A000"
        case .standby: "25006"
        case .notAdmitted: "28000"
        case .passwordMissing, .passwordRejected: "28P01"
        case .noDatabase: "3D000"
        case .noFleet: "3F000"
        case .noRights: "42501"
        case .diskFull: "53100"
        case .noSlots: "53300"
        case .fenced: "TF001"
        case .protocolNotAdmitted: "TF003"
        case .notDurable: "TF004"
        case .observing: "TF005"
        case .nameInUse: "TF006"
        case .otherServer: "TF007"
        case .away(let state), .failed(let state, _): state
        }
    }
}

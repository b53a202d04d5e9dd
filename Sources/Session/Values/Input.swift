package import AdTracking
package import HLS
package import Ports

/// A command to the virtual player.
package enum PlayerCommand: Sendable, Hashable {
    case play
    case pause
    case seek(SeekTarget)
    /// 1 is normal speed; 0 and negative rates are rejected with a log line.
    case setRate(Double)
}

/// The target of a seek.
package enum SeekTarget: Sendable, Hashable {
    /// The live join point.
    case live
    /// Relative to the playhead.
    case by(Duration)
    case date(UnixTime)
}

/// The two keys that change the virtual player and report the action.
package enum PlayerToggle: String, Sendable, Hashable, Codable {
    case mute, pause
}

/// What to try again at a person's request: failed deliveries, or the opening of the stream.
package enum RetryTarget: Sendable, Hashable {
    /// The stream that cannot be opened, without waiting for the next try.
    case opening
    case allFailed
    /// The identifier `EventView.id`.
    case event(String)
    /// The identifier `URLView.id`.
    case url(String)
}

/// Identifies a request of the state; its answer contains it.
package struct RequestID: Sendable, Hashable {
    package var number: Int

    package init(_ number: Int) {
        self.number = number
    }
}

/// Everything that can happen to a session, in the past tense. With their moments, inputs are all that `MonitorState`
/// receives, so a recording of inputs replays a session.
package enum Input: Sendable, Hashable {
    case started
    /// The answer to `Effect.fetch`.
    case fetched(RequestID, HTTPExchange)
    /// Applying the answer to a poll took this long on this machine; only what is worth judging is reported.
    case answerHandled(FetchPurpose, took: Duration)
    /// The answer to `Effect.send`.
    case beaconAnswered(ClaimID, HTTPExchange)
    /// The moment of the last `Effect.wake` was reached.
    case woke
    /// The answer to `Effect.openJournal`, with the entries of earlier runs.
    case journalOpened(JournalOpening)
    /// Opening or writing the journal failed; nothing can be claimed until it is open again.
    case journalFailed(String, kind: JournalProblem.Kind = .cannotWrite)
    /// Written entries are lost: the file was damaged, deleted or replaced.
    case journalLost(String)
    /// This many notes were dropped for lack of capacity.
    case journalFellBehind(dropped: Int)
    /// The claims of `Effect.writeClaims` are on disk.
    case claimsWritten([ClaimID])
    /// The journal did not grant these claims of `Effect.writeClaims`, or did not let the requests of `Effect.send` leave.
    case claimsRefused([RefusedClaim])
    /// A viewer's action: changes the virtual player if it can, and is reported to the ad on air.
    case userActed(UserAction)
    case toggled(PlayerToggle)
    case playerCommanded(PlayerCommand)
    case modeChosen(ReportingMode)
    /// Another variant of the playlist is wanted.
    case variantChosen(VariantWish)
    case retryAsked(RetryTarget)
    case logCleared
    /// A library below the session, such as the HTTP client, logged a line; unredacted text.
    case libraryLogged(LogLevel, String)
    /// Recording stopped; the reason is a clause.
    case recordingFailed(String)
    /// Something happened beside the stream.
    case beside(BesideInput)
    case stopped
}

/// Why a beacon was not sent, in words: those of a row, and a clause for where there is room.
package struct ReasonWord: Sendable, Equatable {
    /// The few words of a row and of a log line.
    package var short: String
    /// The reason as a clause.
    package var sentence: String

    init(_ short: String, _ sentence: String) {
        (self.short, self.sentence) = (short, sentence)
    }

    /// The playhead never passed an event that is older than everything that was played.
    package static let beforeJoin = ReasonWord("before join", "this session joined after it")
    /// The event left the metadata, or its tag the playlist, before it was sent.
    package static let withdrawn = ReasonWord("withdrawn", "it was withdrawn before it was sent")
    /// Nothing that could be requested is listed for the event: that it is not sent has no reason of the list.
    package static let withoutURL = ReasonWord("no URL", "it has no URL to request")
    /// Neither playback nor the viewer makes the event due: the closed list has no reason of its own for that (TRK-14).
    package static let withoutMoment = ReasonWord("no moment", "no moment of playback is known for it")
    /// The state `unknown`.
    package static let unknownOutcome = ReasonWord(
        "unknown", "the request may have arrived, so it is not repeated automatically")
}

extension ReasonWord {
    /// The words for the reason of an event.
    /// - Parameters:
    ///   - isBeforeJoin: whether it is older than everything that was played.
    ///   - isWithdrawn: whether metadata does not list it any more.
    ///   - isUserTriggered: whether a viewer's action sends it.
    package init(_ reason: SkipReason, isBeforeJoin: Bool, isWithdrawn: Bool, isUserTriggered: Bool) {
        // What the service reports is its own, whenever a viewer joins.
        if isBeforeJoin, reason != .serverBeaconed {
            self = .beforeJoin
        } else if reason == .userClass, !isUserTriggered {
            self = .withoutMoment
        } else {
            self = isWithdrawn && reason == .noMetadataInTime ? .withdrawn : reason.words
        }
    }
}

extension SkipReason {
    /// The reason in words.
    package var words: ReasonWord {
        switch self {
        case .notReached: ReasonWord("not reached", "the playhead has not reached it")
        case .seekedOver:
            ReasonWord(
                "not played", "its time was not played: the playhead jumped over it, or the stream does not have it")
        case .paused: ReasonWord("player paused", "the player was paused")
        case .rateGate: ReasonWord("too fast", "playback was too fast for it")
        case .noMetadataInTime: ReasonWord("metadata late", "the metadata came too late for it")
        case .adCut: ReasonWord("ad cut", "the ad was cut before its end")
        case .userClass: ReasonWord("viewer action", "sent only on the viewer's action")
        case .clickClass: ReasonWord("click only", "sent only on a click, which adtop never makes")
        case .verificationClass:
            ReasonWord("verification", "for verification scripts, which adtop does not run")
        case .serverBeaconed: ReasonWord("by service", "reported by the service")
        case .twoParties:
            ReasonWord("two parties", "metadata and a date range list it: two parties may report it (--fire-anyway)")
        case .hostNotAllowed:
            ReasonWord(
                "host not allowed", "this session may not send to its host (--fire, --allow-host, --allow-private)")
        case .badURL: ReasonWord("invalid URL", "its URL cannot be requested")
        case .macroUnresolved: ReasonWord("macro unfilled", "a macro in its URL has no value")
        case .duplicate: ReasonWord("duplicate", "already sent for this ad")
        case .observeMode: ReasonWord("observe mode", "observe mode: due and shown, not sent")
        case .expired: ReasonWord("expired", "too old to be sent")
        case .queueFull: ReasonWord("queue full", "as many beacons were waiting as may")
        case .interstitialNotPlaying: ReasonWord("not playing", "its interstitial is not playing")
        case .storeAway: ReasonWord("store away", "the agent could not reach the fleet's store")
        case .notOwner: ReasonWord("other agent", "another agent of the fleet follows this viewer now")
        }
    }
}

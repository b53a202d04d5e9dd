package import AdTracking
package import CreativeCache
package import Ports

/// What the virtual player is told to do.
package enum PlayerCommand: Sendable, Hashable {
    case play
    case pause
    case seek(SeekTarget)
    /// 1 is normal speed; 0 and negative rates are refused with a log line.
    case setRate(Double)
}

/// Where a seek goes.
package enum SeekTarget: Sendable, Hashable {
    /// The live join point.
    case live
    /// Relative to the playhead.
    case by(Duration)
    case date(UnixTime)
}

/// The two keys that change the virtual player and report it.
package enum PlayerToggle: String, Sendable, Hashable, Codable {
    case mute, pause
}

/// Which failed deliveries are tried again on a person's wish.
package enum RetryTarget: Sendable, Hashable {
    case allFailed
    /// `EventView.id`
    case event(String)
    /// `URLView.id`
    case url(String)
}

/// Names a request the state asked for, so that its answer finds back.
package struct RequestID: Sendable, Hashable {
    package var number: Int

    package init(_ number: Int) {
        self.number = number
    }
}

/// Everything that can happen to a session, in the past tense. With its moment it is all that `MonitorState` ever
/// learns, so a recording of inputs replays a session.
package enum Input: Sendable, Hashable {
    case started
    /// The answer to `Effect.fetch`.
    case fetched(RequestID, HTTPExchange)
    /// The answer to `Effect.send`.
    case beaconAnswered(ClaimID, HTTPExchange)
    /// The moment of the last `Effect.wake` has come.
    case woke
    /// The answer to `Effect.openJournal`, with what earlier runs of the session left.
    case journalOpened(JournalOpening)
    /// Opening or writing the journal failed; nothing can be claimed until it opens again.
    case journalFailed(String)
    /// What was written is gone: the file was damaged, deleted or replaced.
    case journalLost(String)
    /// So many notes found no room and are not kept.
    case journalFellBehind(dropped: Int)
    /// The claims of `Effect.writeClaims` are on disk.
    case claimsWritten([ClaimID])
    /// A viewer's action: changes the virtual player where it can and reports to the ad on air.
    case userActed(UserAction)
    case toggled(PlayerToggle)
    case playerCommanded(PlayerCommand)
    case modeChosen(ReportingMode)
    case retryAsked(RetryTarget)
    case auctionCommanded(AuctionCommand)
    case logCleared
    /// A library under the session, such as the HTTP client, said something; raw text.
    case libraryLogged(LogLevel, String)
    /// The session is recorded no further, and why; a clause.
    case recordingFailed(String)
    /// A person did something to an ad space.
    case formatActed(slot: String, FormatAction)
    /// What became of `Effect.startPlugin`, and all that the process says until it ends.
    case pluginReported(PluginRun, PluginNews)
    /// The answer to `Effect.keepCreatives`.
    case creativesKept(round: Int, [KeptCreative])
    /// The answer to `Effect.lookUpZone`.
    case zoneLookedUp(String, ZoneLookup)
    /// The answer to `Effect.loadZone`, by the order's number.
    case zoneLoaded(Int, ZoneDelivery)
    /// A person lets go of a kept zone.
    case zoneDiscarded(String)
    /// The answer to `Effect.removeZone`.
    case zoneRemoved(String, ZoneRemoval)
    /// The creative cache changed; many changes come as one.
    case cacheReported(CacheReport)
    case stopped
}

package import Ports

/// The inputs of a slot: events in the past tense, requests of the user by the key's name.
package enum SlotInput: Sendable {
    // Requests of the user and the host.
    case load, show, click, dismiss, reload, replay, pauseToggled, muteToggled
    /// The host removes the ad, whether or not it can be closed.
    case removed
    // Inputs that decide visibility.
    case shareVisible(Double)
    case hidden(Bool)
    case lifecycle(LifecycleEvent)
    // Results of effects.
    case answered(Int, HTTPExchange)
    case pluginSent(PluginMessage)
    case pluginEnded(String)
    case zoneLookedUp(StoredZone?)
    case mediaPrepared(PreparedMedia)
    /// `code` is the VAST error code to report.
    case mediaFailed(code: Int, String)
    /// The time of `nextDue` was reached.
    case woke
}

/// The effects of a slot. Each leads to the input named, or to none.
package enum SlotEffect: Sendable, Hashable {
    /// An ad call, or a request for a wrapper; leads to `answered` with the number.
    case fetch(Int, HTTPRequest)
    /// A message to the plugin's process.
    case tell(HostMessage)
    /// Look up a unit in the zone store; leads to `zoneLookedUp`.
    case lookUpZone(String)
    /// Choose, load and keep the video; leads to `mediaPrepared` or `mediaFailed`.
    case prepareMedia(MediaOrder)
    /// Beacons that are due.
    case report(SlotReport)
    /// A callback to the observers.
    case notify(AdCallback)
    /// The landing page of a click, which the slot does not request.
    case open(String)
    case note(Severity, String)
}

/// The data that the zone store needs to prepare a video.
package struct MediaOrder: Sendable, Hashable {
    package var unit: String
    /// The answer of the ad server, kept with the video.
    package var response: [UInt8]
    package var sourceURL: String
    package var files: [MediaCandidate]
}

/// A media file of a document.
package struct MediaCandidate: Sendable, Hashable {
    package var url: String
    package var type: String?
    package var delivery: String?
    /// Bitrate in kbit/s; the upper end of a range.
    package var bitrate: Int?
    package var width: Int?
    package var height: Int?
}

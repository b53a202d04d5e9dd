package import Ports

/// What can happen to a slot, in the past tense where it is news and by the key's name where people ask.
package enum SlotInput: Sendable {
    // What people and hosts ask for.
    case load, show, click, dismiss, reload, replay, pauseToggled, muteToggled
    /// The host takes the ad away, whether it offers to be closed or not.
    case removed
    // What decides visibility.
    case shareVisible(Double)
    case hidden(Bool)
    case lifecycle(LifecycleEvent)
    case placed(Bool)
    // What became of effects.
    case answered(Int, HTTPExchange)
    case pluginSaid(PluginMessage)
    case pluginEnded(String)
    case zoneLookedUp(StoredZone?)
    case mediaPrepared(PreparedMedia)
    /// With the VAST error code to report.
    case mediaFailed(code: Int, String)
    /// Time passed.
    case woke
}

/// What a slot wants done. Each ends in the input that is named, or in nothing.
package enum SlotEffect: Sendable, Hashable {
    /// An ad call, or a wrapper on the way; ends in `answered` with the number.
    case fetch(Int, HTTPRequest)
    /// To the plugin's process; ends in nothing.
    case tell(HostMessage)
    /// Whether the zone store has a unit; ends in `zoneLookedUp`.
    case lookUpZone(String)
    /// Choose, load and keep the video; ends in `mediaPrepared` or `mediaFailed`.
    case prepareMedia(MediaOrder)
    /// Beacons that became due; ends in nothing.
    case report(SlotReport)
    /// A call to those who listen; ends in nothing.
    case notify(AdCallback)
    /// A click leads there. Nothing here requests it.
    case open(String)
    case note(Severity, String)
}

/// What the zone store needs to get a video ready.
package struct MediaOrder: Sendable, Hashable {
    package var unit: String
    /// The answer of the ad server, to be kept with the video.
    package var response: [UInt8]
    package var sourceURL: String
    package var files: [MediaCandidate]
}

/// A media file that a document offers.
package struct MediaCandidate: Sendable, Hashable {
    package var url: String
    package var type: String?
    package var delivery: String?
    /// kbit/s; of a range the upper end.
    package var bitrate: Int?
    package var width: Int?
    package var height: Int?
}

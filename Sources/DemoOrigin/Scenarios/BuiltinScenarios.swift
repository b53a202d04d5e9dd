/// The scenarios that are part of the program, as the texts of their files.
package enum BuiltinScenarios {
    /// Names in the order the index shows them.
    package static let names = texts.map(\.name)

    /// What `demo` plays unless told otherwise.
    package static let demoName = "rush"

    /// The scenario called `name`, or nil; parsed at each call, since most runs need one of them.
    package static func load(_ name: String) throws(ScenarioIssue) -> LoadedScenario? {
        guard let text = text(name) else { return nil }
        return try ScenarioReader.read(text, file: "builtin:\(name)")
    }

    /// The YAML text of the scenario called `name`, to start one's own file from.
    package static func text(_ name: String) -> String? {
        texts.first { $0.name == name }?.text
    }

    private static let texts: [(name: String, text: String)] = [
        ("steady", steadyText),
        ("rush", rushText),
        ("late-metadata", lateMetadataText),
        ("flaky-trackers", flakyTrackersText),
        ("odd-metadata", oddMetadataText),
        ("redirected-init", redirectedInitText),
        ("low-latency", lowLatencyText),
        ("interstitials", interstitialsText),
        ("client-side", clientSideText),
        ("vod", vodText),
        ("plain-cues", plainCuesText),
        ("dateranges-scte35", daterangesSCTE35Text),
        ("stale-playlist", stalePlaylistText),
        ("pdt-jumps", pdtJumpsText),
    ]
}

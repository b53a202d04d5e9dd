/// The scenarios of the program, as the texts of their files.
package enum BuiltinScenarios {
    /// Names in the order of the index page.
    package static let names = texts.map(\.name)

    /// The default scenario of `adtop demo`.
    package static let demoName = "rush"

    /// The scenario `name`, or nil. It is parsed at each call, because most runs need only one scenario.
    package static func load(_ name: String) throws(ScenarioIssue) -> LoadedScenario? {
        guard let text = text(name) else { return nil }
        return try ScenarioReader.read(text, file: "builtin:\(name)")
    }

    /// The YAML text of the scenario `name`, as a template for a file.
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
        ("expiring-session", expiringSessionText),
        ("low-latency", lowLatencyText),
        ("interstitials", interstitialsText),
        ("client-side", clientSideText),
        ("vod", vodText),
        ("plain-cues", plainCuesText),
        ("dateranges-scte35", daterangesSCTE35Text),
        ("stale-playlist", stalePlaylistText),
        ("pdt-jumps", pdtJumpsText),
        ("moved-ads", movedAdsText),
        ("changing-ids", changingIDsText),
        ("two-instances", twoInstancesText),
        ("rotating-tokens", rotatingTokensText),
        ("slow-trackers", slowTrackersText),
        ("reruns", rerunsText),
        ("cut-pods", cutPodsText),
        ("sprint", sprintText),
        ("client-sprint", clientSprintText),
    ]
}

/// A scenario of the program: the text of a file that `ScenarioReader` reads.
struct BuiltinScenario: Sendable {
    let name: String
    /// One sentence for the index page.
    let summary: String
    /// The members after name and summary, without a line break at the end.
    let shape: String

    /// The file.
    var text: String { "name: \(name)\nsummary: \(summary)\n\(shape)\n" }
}

/// The table of the scenarios of the program. Each is a value in a file of its own.
package enum BuiltinScenarios {
    /// Names in the order of the index page.
    package static let names = all.map(\.name)

    /// The default scenario of `adtop demo`.
    package static let demoName = "rush"

    /// The scenario `name`, or nil. It is parsed at each call, because most runs need only one scenario.
    package static func load(_ name: String) throws(ScenarioIssue) -> LoadedScenario? {
        guard let text = text(name) else { return nil }
        return try ScenarioReader.read(text, file: "builtin:\(name)")
    }

    /// The YAML text of the scenario `name`, as a template for a file.
    package static func text(_ name: String) -> String? {
        all.first { $0.name == name }?.text
    }

    static let all: [BuiltinScenario] = [
        Steady.scenario,
        Rush.scenario,
        LateMetadata.scenario,
        FlakyTrackers.scenario,
        OddMetadata.scenario,
        RedirectedInit.scenario,
        ExpiringSession.scenario,
        MissingVariant.scenario,
        LowLatency.scenario,
        Interstitials.scenario,
        ClientSide.scenario,
        Vod.scenario,
        PlainCues.scenario,
        DaterangesSCTE35.scenario,
        StalePlaylist.scenario,
        PDTJumps.scenario,
        ChangingMetadata.movedAds,
        ChangingMetadata.changingIDs,
        ChangingMetadata.twoInstances,
        ChangingMetadata.rotatingTokens,
        SlowTrackers.scenario,
        Reruns.scenario,
        CutPods.scenario,
        ServiceSessions.mediaTailor,
        ServiceSessions.mediaTailorServer,
        ServiceSessions.broadpeak,
        ServiceSessions.primetime,
        ServiceSessions.vmap,
        ServiceSessions.svta,
        ServiceSessions.uplynk,
        ServiceSessions.uplynkPings,
        ServiceSessions.dai,
        ServiceSessions.yospace,
        Sprint.scenario,
        Sprint.clientSide,
    ]
}

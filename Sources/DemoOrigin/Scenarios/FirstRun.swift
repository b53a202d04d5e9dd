extension BuiltinScenarios {
    /// The scenario of `adtop demo` without a choice: ``demoName`` with the first break closer, so that an ad is on air a few
    /// seconds after the join, and one tracker that always fails, so that there is something to find.
    package static func firstRun() throws(ScenarioIssue) -> Scenario? {
        guard var scenario = try load(demoName)?.scenario else { return nil }
        // The viewer joins at the hold-back of 6 s, which is before this.
        scenario.breaks?.firstMs = -2_000
        // An ad of two of the three pods; with the seed of the demo the first one on air.
        scenario.beacons.append(
            BeaconRule(ad: "ceramics", event: "firstQuartile", answer: .status(503)))
        return scenario
    }

    /// Name and sentence of each scenario, in the order of ``names``.
    package static var summaries: [(name: String, summary: String)] { all.map { ($0.name, $0.summary) } }
}

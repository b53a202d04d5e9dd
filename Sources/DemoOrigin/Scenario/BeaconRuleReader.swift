/// Reads a scenario's `beacons`: a list of matches (`ad`, `event`, `n`) with exactly one answer each.
enum BeaconRuleReader {
    private static let answers = ["status", "delay", "redirect", "drop"]

    /// The rules at `cursor`; a rule that names an ad outside `ads` is an error.
    static func rules(
        _ cursor: YAMLCursor, ads: [String: AdCreative], _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> [BeaconRule] {
        var rules: [BeaconRule] = []
        for item in try cursor.items(limit: ScenarioLimits.beaconRules) {
            rules.append(try rule(item, ads: ads, &warnings))
        }
        return rules
    }

    private static func rule(
        _ cursor: YAMLCursor, ads: [String: AdCreative], _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> BeaconRule {
        let keys = try cursor.members(known: Set(answers + ["ad", "event", "n", "times"]), warnings: &warnings)
        guard answers.filter({ keys[$0] != nil }).count == 1 else {
            throw cursor.issue("a beacon rule needs exactly one of \(answers.joined(separator: ", "))")
        }
        let ad = try keys["ad"]?.slug()
        if let ad, ads[ad] == nil { throw cursor.issue("\"ads\" defines no \"\(ad)\"") }
        return BeaconRule(
            ad: ad, event: try keys["event"]?.text(), urlIndex: try keys["n"]?.integer(in: ScenarioLimits.urls),
            answer: try answer(keys), times: try keys["times"]?.integer(in: 1...Int(Int32.max)))
    }

    private static func answer(_ keys: [String: YAMLCursor]) throws(ScenarioIssue) -> BeaconAnswer {
        if let status = keys["status"] { return .status(try status.integer(in: 200...599)) }
        if let delay = keys["delay"] { return .delay(ms: try delay.milliseconds(in: ScenarioLimits.delayMs)) }
        if let drop = keys["drop"] { return .drop(try drop.word(ConnectionDrop.self)) }
        guard let redirect = keys["redirect"] else { return .accept }
        if try redirect.text() == "loop" { return .redirectLoop }
        return .redirect(hops: try redirect.integer(in: ScenarioLimits.redirects))
    }
}

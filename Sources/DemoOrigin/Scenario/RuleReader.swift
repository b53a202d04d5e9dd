/// Reads a scenario's `beacons`: a list of matches (`ad`, `event`, `n`) with exactly one answer each.
enum BeaconRuleReader {
    /// The rules at `cursor`; a rule that names an ad outside `ads` is an error.
    static func rules(
        _ cursor: YAMLCursor, ads: [String: AdCreative], _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> [BeaconRule] {
        var rules: [BeaconRule] = []
        for item in try cursor.items(limit: ScenarioLimits.rules) {
            rules.append(try rule(item, ads: ads, &warnings))
        }
        return rules
    }

    private static func rule(
        _ cursor: YAMLCursor, ads: [String: AdCreative], _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> BeaconRule {
        let keys = try cursor.members(known: AnswerReader.keys.union(["ad", "event", "n"]), warnings: &warnings)
        let ad = try keys["ad"]?.slug()
        if let ad, ads[ad] == nil { throw cursor.issue("\"\(ad)\" is not defined in \"ads\"") }
        let (answer, times) = try AnswerReader.answer(keys, of: "a beacon rule", at: cursor)
        return BeaconRule(
            ad: ad, event: try keys["event"]?.text(), urlIndex: try keys["n"]?.integer(in: ScenarioLimits.urls),
            answer: answer, times: times)
    }
}

/// Reads a scenario's `decisions`: a list of matches (`endpoint`, `pod`) with exactly one answer each.
enum DecisionRuleReader {
    /// The rules at `cursor`.
    static func rules(
        _ cursor: YAMLCursor, _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> [DecisionRule] {
        var rules: [DecisionRule] = []
        for item in try cursor.items(limit: ScenarioLimits.rules) {
            let keys = try item.members(known: AnswerReader.keys.union(["endpoint", "pod"]), warnings: &warnings)
            let (answer, times) = try AnswerReader.answer(keys, of: "a decision rule", at: item)
            rules.append(
                DecisionRule(
                    endpoint: try keys["endpoint"]?.word(DecisionEndpoint.self),
                    pod: try keys["pod"]?.integer(in: 1...ScenarioLimits.pods), answer: answer, times: times))
        }
        return rules
    }
}

/// Reads the answer of a rule: exactly one of `status`, `delay`, `redirect` and `drop`, and how often it applies.
private enum AnswerReader {
    private static let answers = ["status", "delay", "redirect", "drop"]
    /// The keys of an answer.
    static let keys = Set(answers + ["times"])

    /// The answer among `keys` of `rule`.
    static func answer(
        _ keys: [String: YAMLCursor], of rule: String, at cursor: YAMLCursor
    ) throws(ScenarioIssue) -> (answer: OriginAnswer, times: Int?) {
        guard answers.filter({ keys[$0] != nil }).count == 1 else {
            throw cursor.issue("\(rule) needs exactly one of \(answers.joined(separator: ", "))")
        }
        return (try answer(keys), try keys["times"]?.integer(in: 1...Int(Int32.max)))
    }

    private static func answer(_ keys: [String: YAMLCursor]) throws(ScenarioIssue) -> OriginAnswer {
        if let status = keys["status"] { return .status(try status.integer(in: 200...599)) }
        if let delay = keys["delay"] { return .delay(ms: try delay.milliseconds(in: ScenarioLimits.delayMs)) }
        if let drop = keys["drop"] { return .drop(try drop.word(ConnectionDrop.self)) }
        guard let redirect = keys["redirect"] else { return .accept }
        if try redirect.text() == "loop" { return .redirectLoop }
        return .redirect(hops: try redirect.integer(in: ScenarioLimits.redirects))
    }
}

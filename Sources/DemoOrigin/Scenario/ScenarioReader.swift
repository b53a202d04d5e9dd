/// Reads a scenario file (YAML) into a ``Scenario``.
///
/// - Unknown keys are warnings; every other problem is an error with file, line and column.
/// - Durations need a unit. A number without one is rejected, because seconds and milliseconds would both be guesses.
/// - Names used by pods and beacon rules must be defined under `ads`.
/// - The scenario must be playable: a pod fits between two breaks, and no limit of ``ScenarioLimits`` is exceeded.
package enum ScenarioReader {
    /// The scenario in `text`; errors and warnings name `file`.
    package static func read(_ text: String, file: String) throws(ScenarioIssue) -> LoadedScenario {
        guard text.utf8.count <= ScenarioLimits.fileBytes else {
            throw ScenarioIssue(
                file: file, line: 1, column: 1,
                message: "the file is larger than \(ScenarioLimits.fileBytes) bytes")
        }
        let root = try YAMLCursor.root(of: text, file: file)
        var warnings: [ScenarioIssue] = []
        let keys = try root.members(
            known: [
                "name", "summary", "stream", "breaks", "ads", "metadata", "session", "beacons", "decisions", "vast-tag",
            ], warnings: &warnings)
        guard let name = keys["name"] else { throw root.issue("\"name\" is missing") }

        var scenario = Scenario(name: try name.slug(), summary: try keys["summary"]?.text() ?? "")
        if let cursor = keys["stream"] { scenario.stream = try StreamShapeReader.shape(cursor, &warnings) }
        if let cursor = keys["ads"] { scenario.ads = try ads(cursor, &warnings) }
        if let cursor = keys["breaks"] { scenario.breaks = try BreakPatternReader.pattern(cursor, scenario, &warnings) }
        if let cursor = keys["metadata"] { scenario.metadata = try MetadataShapeReader.shape(cursor, &warnings) }
        if let cursor = keys["session"] { scenario.session = try session(cursor, &warnings) }
        if let cursor = keys["beacons"] {
            scenario.beacons = try BeaconRuleReader.rules(cursor, ads: scenario.ads, &warnings)
        }
        if let cursor = keys["decisions"] { scenario.decisions = try DecisionRuleReader.rules(cursor, &warnings) }
        if let cursor = keys["vast-tag"] { scenario.vastTag = try tag(cursor) }
        return LoadedScenario(scenario: scenario, warnings: warnings)
    }

    /// Path and query at this origin.
    private static func tag(_ cursor: YAMLCursor) throws(ScenarioIssue) -> String {
        let text = try cursor.text()
        guard text.hasPrefix("/ads/"), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw cursor.issue("\"vast-tag\" must be a path below /ads/ without blanks, not \"\(text)\"")
        }
        return text
    }

    private static func session(
        _ cursor: YAMLCursor, _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> SessionShape {
        let keys = try cursor.members(
            known: ["redirect", "expires", "refuses", "status", "token", "dialect", "reporting"], warnings: &warnings)
        var shape = SessionShape()
        if let expires = keys["expires"] { shape.expiresMs = try expires.milliseconds(in: ScenarioLimits.windowMs) }
        if let refuses = keys["refuses"] { shape.refuses = Set(try refuses.words(SessionShape.Feed.self)) }
        if let status = keys["status"] { shape.refusalStatus = try status.integer(in: 400...599) }
        if let dialect = keys["dialect"] { shape.dialect = try dialect.word(SessionShape.Dialect.self) }
        if let reporting = keys["reporting"] { shape.reporting = try reporting.word(SessionShape.Reporting.self) }
        shape.tokenMs = try keys["token"]?.milliseconds(in: ScenarioLimits.windowMs)
        guard let redirect = keys["redirect"] else { return shape }
        let instance = try redirect.slug()
        guard OriginPath.isInstance(instance) else {
            throw redirect.issue("\"session.redirect\" must begin with \"\(OriginPath.instancePrefix)\"")
        }
        shape.redirectInstance = instance
        return shape
    }

    private static func ads(
        _ cursor: YAMLCursor, _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> [String: AdCreative] {
        var ads: [String: AdCreative] = [:]
        let entries = try cursor.entries()
        guard entries.count <= ScenarioLimits.ads else {
            throw cursor.issue("\"ads\" has \(entries.count) entries; at most \(ScenarioLimits.ads) are allowed")
        }
        for (name, entry) in entries {
            guard Slug.isValid(name) else {
                throw entry.issue("an ad's name must be 1 to 64 of a-z, 0-9 and \"-\", not \"\(name)\"")
            }
            ads[name] = try AdCreativeReader.creative(entry, &warnings)
        }
        return ads
    }

    /// The oddities listed at `cursor`, none when it is absent.
    static func oddities(_ cursor: YAMLCursor?) throws(ScenarioIssue) -> [NodeOddity] {
        try cursor?.words(NodeOddity.self) ?? []
    }
}

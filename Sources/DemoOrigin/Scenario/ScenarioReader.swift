/// Reads a scenario file (YAML) into a ``Scenario``.
///
/// - Unknown keys are warnings, everything else that is wrong is an error with file, line and column.
/// - Durations carry their unit; a number without one is refused, since both seconds and milliseconds would be guesses.
/// - Names used by pods and beacon rules must be defined under `ads`.
/// - The whole must be playable: a pod fits between two breaks, no limit of ``ScenarioLimits`` is passed.
package enum ScenarioReader {
    /// The scenario of `text`; `file` is named in errors and warnings.
    package static func read(_ text: String, file: String) throws(ScenarioIssue) -> LoadedScenario {
        guard text.utf8.count <= ScenarioLimits.fileBytes else {
            throw ScenarioIssue(
                file: file, line: 1, column: 1,
                message: "the file is larger than \(ScenarioLimits.fileBytes) bytes")
        }
        let root = try YAMLCursor.root(of: text, file: file)
        var warnings: [ScenarioIssue] = []
        let keys = try root.members(
            known: ["name", "summary", "stream", "breaks", "ads", "metadata", "session", "beacons"], warnings: &warnings
        )
        guard let name = keys["name"] else { throw root.issue("\"name\" is missing") }

        var scenario = Scenario(name: try name.slug(), summary: try keys["summary"]?.text() ?? "")
        if let cursor = keys["stream"] { scenario.stream = try stream(cursor, &warnings) }
        if let cursor = keys["ads"] { scenario.ads = try ads(cursor, &warnings) }
        if let cursor = keys["breaks"] { scenario.breaks = try breaks(cursor, scenario, &warnings) }
        if let cursor = keys["metadata"] { scenario.metadata = try metadata(cursor, &warnings) }
        if let cursor = keys["session"] { scenario.session = try session(cursor, &warnings) }
        if let cursor = keys["beacons"] {
            scenario.beacons = try BeaconRuleReader.rules(cursor, ads: scenario.ads, &warnings)
        }
        return LoadedScenario(scenario: scenario, warnings: warnings)
    }

    private static func stream(
        _ cursor: YAMLCursor, _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> StreamShape {
        let keys = try cursor.members(known: ["segment", "window"], warnings: &warnings)
        var shape = StreamShape()
        if let segment = keys["segment"] { shape.segmentMs = try segment.milliseconds(in: ScenarioLimits.segmentMs) }
        if let window = keys["window"] { shape.windowMs = try window.milliseconds(in: ScenarioLimits.windowMs) }
        guard shape.windowMs >= 3 * shape.segmentMs else {
            throw cursor.issue(
                "the window of \(shape.windowMs) ms holds fewer than three segments of \(shape.segmentMs) ms")
        }
        guard shape.windowMs / shape.segmentMs <= ScenarioLimits.windowSegments else {
            throw cursor.issue("the window holds more than \(ScenarioLimits.windowSegments) segments")
        }
        return shape
    }

    private static func breaks(
        _ cursor: YAMLCursor, _ scenario: Scenario, _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> BreakPattern {
        let keys = try cursor.members(known: ["every", "first", "pods"], warnings: &warnings)
        guard let every = keys["every"] else { throw cursor.issue("\"breaks.every\" is missing") }
        guard let podList = keys["pods"] else { throw cursor.issue("\"breaks.pods\" is missing") }
        let everyMs = try every.milliseconds(in: ScenarioLimits.windowMs)
        let firstMs = try keys["first"]?.milliseconds(in: 0...everyMs) ?? 0
        var pods: [Pod] = []
        for item in try podList.items(limit: ScenarioLimits.pods) {
            let pod = try pod(item, &warnings)
            try check(pod, at: item, everyMs: everyMs, scenario)
            pods.append(pod)
        }
        guard !pods.isEmpty else { throw podList.issue("\"breaks.pods\" needs at least one pod") }
        let shortest = scenario.stream.segmentMs
        guard pods.count * everyMs / shortest <= ScenarioLimits.cycleSegments else {
            throw cursor.issue("one round of all pods has more than \(ScenarioLimits.cycleSegments) segments")
        }
        return BreakPattern(everyMs: everyMs, firstMs: firstMs, pods: pods)
    }

    private static func pod(_ cursor: YAMLCursor, _ warnings: inout [ScenarioIssue]) throws(ScenarioIssue) -> Pod {
        var names = cursor
        var oddities: [NodeOddity] = []
        if cursor.isMapping {
            let keys = try cursor.members(known: ["ads", "oddities"], warnings: &warnings)
            guard let ads = keys["ads"] else { throw cursor.issue("the pod's \"ads\" is missing") }
            names = ads
            oddities = try self.oddities(keys["oddities"])
        }
        var ads: [String] = []
        for item in try names.items(limit: ScenarioLimits.pods) { ads.append(try item.slug()) }
        guard !ads.isEmpty else { throw names.issue("a pod needs at least one ad") }
        return Pod(ads: ads, oddities: oddities)
    }

    private static func check(
        _ pod: Pod, at cursor: YAMLCursor, everyMs: Int, _ scenario: Scenario
    ) throws(ScenarioIssue) {
        var totalMs = 0
        for name in pod.ads {
            guard let ad = scenario.ads[name] else { throw cursor.issue("\"ads\" defines no \"\(name)\"") }
            totalMs += ad.durationMs
        }
        guard totalMs + scenario.stream.segmentMs <= everyMs else {
            throw cursor.issue(
                "the pod lasts \(totalMs) ms; with one segment of content that does not fit into \(everyMs) ms")
        }
    }

    private static func metadata(
        _ cursor: YAMLCursor, _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> MetadataShape {
        let keys = try cursor.members(known: ["window"], warnings: &warnings)
        var shape = MetadataShape()
        if let window = keys["window"] { shape.windowMs = try window.milliseconds(in: ScenarioLimits.windowMs) }
        return shape
    }

    private static func session(
        _ cursor: YAMLCursor, _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> SessionShape {
        let keys = try cursor.members(known: ["redirect"], warnings: &warnings)
        guard let redirect = keys["redirect"] else { return SessionShape() }
        let instance = try redirect.slug()
        guard OriginPath.isInstance(instance) else {
            throw redirect.issue("\"session.redirect\" must begin with \"\(OriginPath.instancePrefix)\"")
        }
        return SessionShape(redirectInstance: instance)
    }

    private static func ads(
        _ cursor: YAMLCursor, _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> [String: AdCreative] {
        var ads: [String: AdCreative] = [:]
        let entries = try cursor.entries()
        guard entries.count <= ScenarioLimits.ads else {
            throw cursor.issue("\"ads\" has \(entries.count) entries, at most \(ScenarioLimits.ads) are allowed")
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
        guard let cursor else { return [] }
        var oddities: [NodeOddity] = []
        for item in try cursor.items(limit: NodeOddity.allCases.count) {
            oddities.append(try item.word(NodeOddity.self))
        }
        return oddities
    }
}

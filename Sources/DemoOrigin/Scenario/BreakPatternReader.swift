/// Reads a scenario's `breaks`.
enum BreakPatternReader {
    /// The pattern at `cursor`; `scenario` already holds the stream and the ads.
    static func pattern(
        _ cursor: YAMLCursor, _ scenario: Scenario, _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> BreakPattern {
        let keys = try cursor.members(known: ["every", "first", "pods", "as", "preroll"], warnings: &warnings)
        guard let every = keys["every"] else { throw cursor.issue("\"breaks.every\" is missing") }
        guard let podList = keys["pods"] else { throw cursor.issue("\"breaks.pods\" is missing") }
        let everyMs = try every.milliseconds(in: ScenarioLimits.windowMs)
        var pattern = BreakPattern(
            everyMs: everyMs, firstMs: try keys["first"]?.milliseconds(in: 0...everyMs) ?? 0, pods: [])
        pattern.delivery = try keys["as"]?.word(BreakPattern.Delivery.self) ?? .stitched
        for item in try podList.items(limit: ScenarioLimits.pods) {
            let pod = try pod(item, &warnings)
            try check(pod, at: item, everyMs: everyMs, scenario)
            pattern.pods.append(pod)
        }
        guard !pattern.pods.isEmpty else { throw podList.issue("\"breaks.pods\" needs at least one pod") }
        if let item = keys["preroll"] {
            var pod = try pod(item, &warnings)
            guard pattern.delivery == .interstitials else {
                throw item.issue("\"preroll\" needs \"as: interstitials\"")
            }
            try check(pod, at: item, everyMs: everyMs, scenario)
            if !pod.interstitial.cues.contains(.pre) { pod.interstitial.cues.insert(.pre, at: 0) }
            pattern.preroll = pod
        }
        let shortest = scenario.stream.segmentMs
        guard pattern.pods.count * everyMs / shortest <= ScenarioLimits.cycleSegments else {
            throw cursor.issue("one round of all pods has more than \(ScenarioLimits.cycleSegments) segments")
        }
        return pattern
    }

    private static func pod(_ cursor: YAMLCursor, _ warnings: inout [ScenarioIssue]) throws(ScenarioIssue) -> Pod {
        guard cursor.isMapping else { return Pod(ads: try ads(cursor)) }
        let keys = try cursor.members(
            known: ["ads", "oddities", "marker-error", "wrappers", "interstitial"], warnings: &warnings)
        guard let names = keys["ads"] else { throw cursor.issue("the pod's \"ads\" is missing") }
        var pod = Pod(ads: try ads(names), oddities: try ScenarioReader.oddities(keys["oddities"]))
        if let error = keys["marker-error"] { pod.markerError = try markerError(error, &warnings) }
        if let wrappers = keys["wrappers"] {
            pod.wrappers = try wrappers.integer(in: ScenarioLimits.wrappers)
            // A wrapper's URLs are the same for every ad of a pod, so a receipt would not identify the ad.
            guard pod.ads.count == 1 else { throw wrappers.issue("a pod in wrappers must have one ad") }
        }
        if let shape = keys["interstitial"] { pod.interstitial = try InterstitialShapeReader.shape(shape, &warnings) }
        guard pod.interstitial.asset != .uri || pod.ads.count == 1 else {
            throw cursor.issue("an interstitial of an asset URI must have one ad")
        }
        return pod
    }

    private static func ads(_ cursor: YAMLCursor) throws(ScenarioIssue) -> [String] {
        var ads: [String] = []
        for item in try cursor.items(limit: ScenarioLimits.pods) { ads.append(try item.slug()) }
        guard !ads.isEmpty else { throw cursor.issue("a pod needs at least one ad") }
        return ads
    }

    private static func markerError(
        _ cursor: YAMLCursor, _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> MarkerError {
        let keys = try cursor.members(known: ["late", "longer"], warnings: &warnings)
        return MarkerError(
            lateMs: try keys["late"]?.milliseconds(in: 0...ScenarioLimits.adMs.upperBound) ?? 0,
            longerMs: try keys["longer"]?.milliseconds(in: 0...ScenarioLimits.adMs.upperBound) ?? 0)
    }

    private static func check(
        _ pod: Pod, at cursor: YAMLCursor, everyMs: Int, _ scenario: Scenario
    ) throws(ScenarioIssue) {
        var totalMs = 0
        for name in pod.ads {
            guard let ad = scenario.ads[name] else { throw cursor.issue("\"\(name)\" is not defined in \"ads\"") }
            totalMs += ad.durationMs
        }
        guard totalMs + scenario.stream.segmentMs <= everyMs else {
            throw cursor.issue(
                "the pod of \(totalMs) ms and one segment of content do not fit into \(everyMs) ms")
        }
    }
}

/// Reads a pod's `interstitial`.
private enum InterstitialShapeReader {
    static func shape(
        _ cursor: YAMLCursor, _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> InterstitialShape {
        let keys = try cursor.members(
            known: [
                "asset", "cue", "resume", "limit", "snap", "restrict", "occupies", "skip-after", "list-skip-after",
                "pod-tracking", "shift",
            ], warnings: &warnings)
        let lengths = 0...ScenarioLimits.adMs.upperBound
        var shape = InterstitialShape()
        shape.asset = try keys["asset"]?.word(InterstitialShape.Asset.self) ?? .list
        shape.cues = try keys["cue"]?.words(InterstitialShape.Cue.self) ?? []
        shape.resumeOffsetMs = try keys["resume"]?.milliseconds(in: lengths)
        shape.playoutLimitMs = try keys["limit"]?.milliseconds(in: lengths)
        shape.snap = try keys["snap"]?.words(InterstitialShape.Snap.self) ?? []
        shape.restrictions = try keys["restrict"]?.words(InterstitialShape.Restriction.self) ?? []
        shape.occupation = try keys["occupies"]?.word(InterstitialShape.Occupation.self)
        shape.hasSkipControlInList = keys["list-skip-after"] != nil
        let skip = keys["list-skip-after"] ?? keys["skip-after"]
        shape.skipAfterS = try skip?.integer(in: ScenarioLimits.skipAfterS)
        shape.hasPodTracking = try keys["pod-tracking"]?.yesOrNo() ?? false
        shape.shiftMs = try keys["shift"]?.milliseconds(in: lengths) ?? 0
        return shape
    }
}

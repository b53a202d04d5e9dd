/// Reads a scenario's `stream`.
enum StreamShapeReader {
    /// The shape at `cursor`.
    static func shape(
        _ cursor: YAMLCursor, _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> StreamShape {
        let keys = try cursor.members(
            known: ["segment", "window", "finished", "part", "backup", "lacks-best", "stall", "date-jump", "markers"],
            warnings: &warnings)
        var shape = StreamShape()
        if let segment = keys["segment"] { shape.segmentMs = try segment.milliseconds(in: ScenarioLimits.segmentMs) }
        if let window = keys["window"] { shape.windowMs = try window.milliseconds(in: ScenarioLimits.windowMs) }
        shape.isFinished = try keys["finished"]?.yesOrNo() ?? false
        shape.hasBackup = try keys["backup"]?.yesOrNo() ?? false
        shape.lacksBest = try keys["lacks-best"]?.yesOrNo() ?? false
        shape.partMs = try keys["part"]?.milliseconds(in: ScenarioLimits.partMs)
        shape.stall = try keys["stall"].map { cursor throws(ScenarioIssue) in try stall(cursor, &warnings) }
        shape.dateJumpMs = try keys["date-jump"]?.milliseconds(in: ScenarioLimits.dateJumpMs) ?? 0
        if let markers = keys["markers"] { shape.markers = try markers.words(MarkerDialect.self) }
        try check(shape, at: cursor)
        return shape
    }

    private static func stall(
        _ cursor: YAMLCursor, _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> StallPattern {
        let keys = try cursor.members(known: ["every", "for"], warnings: &warnings)
        guard let every = keys["every"], let length = keys["for"] else {
            throw cursor.issue("a stall needs \"every\" and \"for\"")
        }
        let pattern = StallPattern(
            everyMs: try every.milliseconds(in: ScenarioLimits.windowMs),
            lengthMs: try length.milliseconds(in: ScenarioLimits.windowMs))
        guard pattern.lengthMs < pattern.everyMs else { throw length.issue("a stall must end before the next begins") }
        return pattern
    }

    private static func check(_ shape: StreamShape, at cursor: YAMLCursor) throws(ScenarioIssue) {
        guard shape.windowMs >= 3 * shape.segmentMs else {
            throw cursor.issue(
                "the window of \(shape.windowMs) ms holds fewer than three segments of \(shape.segmentMs) ms")
        }
        guard shape.windowMs / shape.segmentMs <= ScenarioLimits.windowSegments else {
            throw cursor.issue("the window holds more than \(ScenarioLimits.windowSegments) segments")
        }
        if let partMs = shape.partMs {
            guard partMs < shape.segmentMs else { throw cursor.issue("a part must be shorter than a segment") }
            guard !shape.isFinished else { throw cursor.issue("a finished stream has no parts") }
        }
    }
}

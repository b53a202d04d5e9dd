/// Reads a scenario's `metadata`.
enum MetadataShapeReader {
    /// The shape at `cursor`.
    static func shape(
        _ cursor: YAMLCursor, _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> MetadataShape {
        var shape = MetadataShape()
        if !cursor.isMapping {
            try cursor.literal("none")
            shape.isServed = false
            return shape
        }
        let keys = try cursor.members(known: ["window", "ahead", "changes"], warnings: &warnings)
        if let window = keys["window"] { shape.windowMs = try window.milliseconds(in: ScenarioLimits.windowMs) }
        if let ahead = keys["ahead"] { shape.aheadMs = try ahead.milliseconds(in: ScenarioLimits.aheadMs) }
        if let cursor = keys["changes"] { shape.changes = try changes(cursor, &warnings) }
        return shape
    }

    private static func changes(
        _ cursor: YAMLCursor, _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> MetadataChanges {
        let keys = try cursor.members(known: ["every", "ids", "starts", "cache-buster"], warnings: &warnings)
        var changes = MetadataChanges()
        if let every = keys["every"] { changes.pace = try pace(every) }
        changes.ids = try keys["ids"]?.yesOrNo() ?? false
        changes.startsMs = try keys["starts"]?.milliseconds(in: ScenarioLimits.startChangeMs) ?? 0
        changes.cacheBuster = try keys["cache-buster"]?.slug()
        return changes
    }

    private static func pace(_ cursor: YAMLCursor) throws(ScenarioIssue) -> MetadataChanges.Pace {
        switch try cursor.text() {
        case "poll": .poll
        case "instance": .instance
        default: .every(try cursor.milliseconds(in: ScenarioLimits.windowMs))
        }
    }
}

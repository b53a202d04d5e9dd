/// Reads one entry of a scenario's `ads`.
enum AdCreativeReader {
    /// The creative at `cursor`. `events` replaces the standard list, `more-events` adds to it, `urls` sets the number
    /// of URLs of an event.
    static func creative(
        _ cursor: YAMLCursor, _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> AdCreative {
        let keys = try cursor.members(
            known: [
                "duration", "display-id", "events", "more-events", "urls", "progress", "hidden", "oddities",
                "fixed-urls",
                "media",
            ], warnings: &warnings)
        guard let duration = keys["duration"] else { throw cursor.issue("the ad's \"duration\" is missing") }
        var ad = AdCreative(durationMs: try duration.milliseconds(in: ScenarioLimits.adMs))
        ad.displayId = try keys["display-id"]?.text()
        if let events = keys["events"] { ad.events = try names(events) }
        if let events = keys["more-events"] { ad.events += try names(events) }
        for item in try keys["progress"]?.items(limit: ScenarioLimits.events) ?? [] {
            let atMs = try item.milliseconds(in: 0...ad.durationMs)
            ad.events.append(AdEvent(name: AdEvent.progressName, progressMs: atMs))
        }
        guard ad.events.count <= ScenarioLimits.events else {
            throw cursor.issue("the ad has more than \(ScenarioLimits.events) events")
        }
        for (name, count) in try keys["urls"]?.entries() ?? [] {
            guard let index = ad.events.firstIndex(where: { $0.name == name }) else {
                throw count.issue("the ad has no event \"\(name)\"")
            }
            ad.events[index].urlCount = try count.integer(in: ScenarioLimits.urls)
        }
        for item in try keys["hidden"]?.items(limit: ScenarioLimits.events) ?? [] {
            ad.hiddenMs.append(try range(item, &warnings))
        }
        ad.oddities = try ScenarioReader.oddities(keys["oddities"])
        ad.hasFixedURLs = try keys["fixed-urls"]?.yesOrNo() ?? false
        ad.media = try keys["media"]?.word(CreativeMedia.self) ?? .video
        return ad
    }

    private static func names(_ cursor: YAMLCursor) throws(ScenarioIssue) -> [AdEvent] {
        var events: [AdEvent] = []
        for item in try cursor.items(limit: ScenarioLimits.events) { events.append(AdEvent(name: try item.text())) }
        return events
    }

    private static func range(
        _ cursor: YAMLCursor, _ warnings: inout [ScenarioIssue]
    ) throws(ScenarioIssue) -> Range<Int> {
        let keys = try cursor.members(known: ["from", "to"], warnings: &warnings)
        let from = try keys["from"]?.milliseconds(in: 0...ScenarioLimits.windowMs.upperBound) ?? 0
        guard let end = keys["to"] else { throw cursor.issue("\"to\" is missing") }
        let to = try end.milliseconds(in: ScenarioLimits.windowMs)
        guard from < to else { throw cursor.issue("\"from\" must be before \"to\"") }
        return from..<to
    }
}

package import Ports

/// Google Ad Manager DAI: saved answers (PRV-44 to PRV-46). The breaks of a live stream have no times; ids in the media place
/// them, which ``DAIMediaIDs`` does.
package enum DynamicAdInsertion: SavedAnswerReader, RecognisableService {
    package static let name = "dai"

    package static let summary = ProviderSummary(
        title: "Google Ad Manager DAI",
        recognition: "the host dai.google.com or pubads.g.doubleclick.net with linear, ondemand or ssai in the path; "
            + "no sessions yet",
        supports: ["saved answers only: breaks of live streams without their places, and those of recorded programmes"])

    private static let hosts: Set<String> = ["dai.google.com", "pubads.g.doubleclick.net"]
    private static let parts: Set<Substring> = ["linear", "ondemand", "ssai"]

    package static func place(of url: WebURL) -> ServicePlace? {
        let steps = url.path.split(separator: "/")
        guard hosts.contains(url.host), steps.dropLast().contains(where: parts.contains) else { return nil }
        if steps.last == "stream" || steps.last == "streams" { return ServicePlace(.opening) }
        guard let tracking = tracking(steps, of: url) else { return ServicePlace() }
        return ServicePlace(.multivariant, tracking: tracking)
    }

    /// `linear/{hls|dash}/pa/event/KEY/stream/ID/master.m3u8` has its data at `linear/v1/pa/event/KEY/stream/ID/metadata`.
    private static func tracking(_ steps: [Substring], of url: WebURL) -> WebURL? {
        guard steps.count == 8, steps[0] == "linear", steps[1] == "hls" || steps[1] == "dash", steps[2] == "pa",
            steps[3] == "event", steps[5] == "stream", steps[7] == "master.m3u8" || steps[7] == "manifest.mpd"
        else { return nil }
        return try? url.with(path: "/linear/v1/pa/event/\(steps[4])/stream/\(steps[6])/metadata", query: nil)
    }

    // MARK: Saved answers

    package static func saved(_ bytes: [UInt8]) throws(MetadataProblem) -> SavedAnswer {
        let value = try MetadataProblem.json(bytes)
        if let breaks = value["ad_breaks"], breaks.arrayValue != nil {
            return SavedAnswer(DAIProgramme.answer(breaks), nextMethod: nil)
        }
        var metadata = DAIMetadata()
        try metadata.add(value)
        return SavedAnswer(metadata.withoutPlaces)
    }
}

extension DAIMetadata {
    /// The breaks in the order in which they are listed, all at 0: nothing in the answer places them.
    var withoutPlaces: ListedAnswer {
        var answer = ListedAnswer()
        let listed = Dictionary(grouping: ads.keys) { ads[$0]?["ad_break_id"]?.identifierText }
        for id in breaks.keys where answer.admitsBreak() {
            var adBreak = ListedBreak(id: id, start: .zero, told: ListedTime.seconds(breaks[id]?["duration"]))
            adBreak.planned = ListedTime.seconds(breaks[id]?["expected_duration"])
            let ordered = (listed[id] ?? []).sortedStably { place(of: $0) < place(of: $1) }
            var cursor = ExactDecimal.zero
            for id in ordered where answer.admitsAd(to: adBreak.ads.count) {
                var ad = ListedAd(id: id, start: cursor, length: ListedTime.seconds(ads[id]?["duration"]))
                if let entry = ads[id] { ad.takeDetails(of: entry) }
                ad.isPlanned = true
                cursor = ad.end ?? cursor
                adBreak.ads.append(ad)
            }
            answer.breaks.append(adBreak)
        }
        return answer
    }

    private func place(of ad: String) -> Int64 { ads[ad]?["position"]?.integerValue ?? .max }
}

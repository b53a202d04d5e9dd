import Ports

/// Saved answers of one session. Ids in the media place the breaks of a live stream, which ``DAIMediaIDs`` does, and there are none here;
/// all its answers are united (PRV-45).
struct DAISavedSession: SavedSession {
    private var metadata = DAIMetadata()
    /// The breaks of a recorded programme. Of a live stream only the lengths of breaks are merged, because ads without places are not told
    /// apart by them.
    private var listing = Listing()
    private var isLive = false

    var breaks: [ListedBreak] { isLive ? metadata.withoutPlaces.breaks : listing.breaks }
    var findings: [Finding] { listing.findings }

    mutating func add(_ bytes: [UInt8], charset: String?) throws(MetadataProblem) -> SavedAnswer {
        let value = try MetadataProblem.json(bytes)
        // An empty list beside tags is that of a live stream without breaks so far.
        if let breaks = value["ad_breaks"], let list = breaks.arrayValue, !list.isEmpty || value["tags"] == nil {
            let programme = DAIProgramme.answer(breaks)
            listing.add(programme)
            return SavedAnswer(programme, nextMethod: nil)
        }
        try metadata.add(value)
        isLive = true
        var newest = DAIMetadata()
        try newest.add(value)
        let listed = newest.withoutPlaces
        var lengths = listed
        for index in lengths.breaks.indices { lengths.breaks[index].ads = [] }
        listing.add(lengths)
        return SavedAnswer(listed)
    }
}

extension DAIMetadata {
    /// The breaks in the order in which they are listed, all at 0: nothing in the answer places them.
    var withoutPlaces: ListedAnswer {
        var answer = ListedAnswer()
        let listed = Dictionary(grouping: ads.keys) { ads[$0]?["ad_break_id"]?.identifierText }
        for id in breaks.keys where answer.admitsBreak() {
            var adBreak = ListedBreak(id: id, start: .zero, statedDuration: ListedTime.seconds(breaks[id]?["duration"]))
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

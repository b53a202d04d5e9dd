import Ports

/// Reads the avails of one answer; a bad one does not affect its neighbours.
struct MediaTailorReader {
    /// Seconds that the two spellings of a time may differ by.
    private static let contradiction = ExactDecimal(2).multiplied(by: .cent).flatMap {
        $0.divided(by: ExactDecimal(10))
    }

    let mode: MediaTailorMode
    private(set) var answer = ListedAnswer()
    private var names: Set<String> = []

    init(mode: MediaTailorMode) {
        self.mode = mode
    }

    /// - Parameter list: nil where the answer has none.
    mutating func readAvails(_ list: JSONValue?, isLinear: Bool) {
        guard let list else { return }
        guard let avails = list.arrayValue else {
            return answer.report(.wrongType, "the avails are a JSON \(list.typeName) instead of an array", at: "")
        }
        for avail in avails { readAvail(avail, isLinear: isLinear) }
    }

    private mutating func readAvail(_ value: JSONValue, isLinear: Bool) {
        guard let members = MediaTailorMembers(value) else {
            return answer.report(.wrongType, "an avail is a JSON \(value.typeName) instead of an object", at: "")
        }
        guard answer.admitsBreak() else { return }
        var adBreak = ListedBreak(id: members.text("availid"), start: .zero)
        adBreak.isLinear = isLinear
        adBreak.date = ListedTime.date(members["availprogramdatetime"])
        let ads = members.list("ads")
        guard let start = start(of: adBreak, members, ads) else {
            let lack = "the avail \(Self.lackOfStart(members)), and has no date"
            return answer.report(.withoutTime, "\(lack): it is ignored", at: adBreak.node)
        }
        adBreak.start = start
        if let id = adBreak.id, !names.insert(id).inserted {
            answer.report(.identifier, "a second avail of this answer has the id '\(id)'", at: id)
        }
        adBreak.statedDuration = span(members, at: adBreak.node)
        adBreak.planned = ListedTime.seconds(members["admarkerduration"]).flatMap { $0.isPositive ? $0 : nil }
        adBreak.ads = readAds(ads, of: adBreak) + readOverlays(members.list("nonlinearadslist"), of: adBreak)
        let events = members.list("adbreaktrackingevents").prefix(ListedAnswer.eventsPerAd).compactMap {
            breakEvent($0, from: start, isLinear: isLinear, at: adBreak.node)
        }
        adBreak.events = answer.joined(events, inLength: adBreak.length, at: adBreak.node)
        answer.breaks.append(adBreak)
    }

    /// The start of an avail, else that of its first ad, else its date.
    private mutating func start(
        of adBreak: ListedBreak, _ members: MediaTailorMembers, _ ads: [JSONValue]
    ) -> ExactDecimal? {
        if let stated = time(members, at: adBreak.node) { return stated }
        let listed = ads.lazy.compactMap { MediaTailorMembers($0) }
        if let first = listed.compactMap(Self.untestedTime).first {
            answer.report(
                .startOfFirstAd, "the avail \(Self.lackOfStart(members)): that of its first ad is used",
                at: adBreak.node)
            return first
        }
        let date = adBreak.date ?? listed.compactMap { ListedTime.date($0["adprogramdatetime"]) }.first
        return date.flatMap { ExactDecimal(exactly: $0.milliseconds)?.divided(by: ExactDecimal(1_000)) }
    }

    // MARK: Ads

    private mutating func readAds(_ list: [JSONValue], of adBreak: ListedBreak) -> [ListedAd] {
        var drafts: [ListedAdDraft] = []
        var cursor = adBreak.start
        for value in list {
            guard let members = MediaTailorMembers(value), answer.admitsAd(to: drafts.count) else { continue }
            var ad = ListedAd(id: members.text("adid"), start: cursor)
            let node = adBreak.node(of: ad)
            let start = time(members, at: node)
            ad.start = start ?? cursor
            ad.length = span(members, at: node)
            ad.date = ListedTime.date(members["adprogramdatetime"])
            ad.creative = members.text("creativeid")
            ad.parts = MediaTailorParts.read(members)
            ad.extras = members.others(than: Self.knownAdMembers)
            readEvents(members.list("trackingevents"), into: &ad, at: node)
            cursor = ad.end ?? ad.start
            drafts.append(ListedAdDraft(ad: ad, start: start))
        }
        let filled = ListedGaps.filled(drafts, breakStart: adBreak.start, length: adBreak.statedDuration, &answer) {
            adBreak.node(of: $0)
        }
        return filled.map { joined($0, at: adBreak.node(of: $0)) }
    }

    private static let knownAdMembers: Set<String> = [
        "adid", "starttime", "starttimeinseconds", "duration", "durationinseconds", "adprogramdatetime", "creativeid",
        "trackingevents", "companionads", "adverifications", "icons",
    ]

    private mutating func readOverlays(_ list: [JSONValue], of adBreak: ListedBreak) -> [ListedAd] {
        var ads: [ListedAd] = []
        for value in list {
            guard let members = MediaTailorMembers(value), answer.admitsAd(to: ads.count) else { continue }
            let overlays = members.list("nonlinearadlist").prefix(ListedAnswer.adsPerBreak)
            let first = MediaTailorMembers(overlays.first)
            var ad = ListedAd(id: first?.text("adid"), start: adBreak.start)
            let node = adBreak.node(of: ad)
            ad.isLinear = false
            ad.length = first.flatMap { span($0, at: node) }
            ad.creative = first?.text("creativeid")
            ad.extras = first?.others(than: Self.knownAdMembers) ?? JSONObject()
            ad.parts = first.map(MediaTailorParts.read) ?? ListedParts()
            // The others are other forms of the same ad: the events count for all of them (PRV-24).
            if overlays.count > 1 { ad.extras.append("otherForms", .array(Array(overlays.dropFirst()))) }
            if let extensions = members["extensions"] { ad.extras.append("extensions", extensions) }
            readEvents(members.list("trackingevents"), into: &ad, at: node)
            if let page = first?.text("clickthrough"), !URLText(page).isUnusable { ad.clickThrough = page }
            if let url = first?.text("clicktracking"),
                let event = answer.event("clickTracking", [url], statedOffset: nil, window: nil, at: node)
            {
                ad.events.append(event)
            }
            ads.append(joined(ad, at: node))
        }
        return ads
    }

    private mutating func joined(_ ad: ListedAd, at node: String) -> ListedAd {
        var ad = ad
        ad.events = answer.joined(ad.events, inLength: ad.length, at: node)
        return ad
    }

    // MARK: Events

    private mutating func readEvents(_ list: [JSONValue], into ad: inout ListedAd, at node: String) {
        for value in list.prefix(ListedAnswer.eventsPerAd) {
            guard let members = MediaTailorMembers(value) else { continue }
            let type = members.text("eventtype")
            if Self.isLandingPage(type) {
                ad.clickThrough = ad.clickThrough ?? Self.landingPage(members)
            } else if let event = event(members, type, from: ad.start, isLinear: ad.isLinear, at: node) {
                ad.events.append(event)
            }
        }
    }

    private static func isLandingPage(_ type: String?) -> Bool { type?.lowercased() == "clickthrough" }

    /// The first usable address of an entry `clickThrough`; nil when it has none.
    private static func landingPage(_ members: MediaTailorMembers) -> String? {
        members.texts("beaconurls").first { !$0.isEmpty && !URLText($0).isUnusable }
    }

    private mutating func breakEvent(
        _ value: JSONValue, from start: ExactDecimal, isLinear: Bool, at node: String
    ) -> ListedEvent? {
        guard let members = MediaTailorMembers(value) else { return nil }
        let type = members.text("eventtype")
        return Self.isLandingPage(type) ? nil : event(members, type, from: start, isLinear: isLinear, at: node)
    }

    /// - Parameter type: its type, which is no landing page; nil where it has only the member `event`.
    private mutating func event(
        _ members: MediaTailorMembers, _ type: String?, from start: ExactDecimal, isLinear: Bool, at node: String
    ) -> ListedEvent? {
        guard let name = type ?? members.text("event").flatMap({ Self.isLandingPage($0) ? nil : $0 }) else {
            return nil
        }
        let stated = Self.isTimed(members) ? Self.untestedTime(members)?.minus(start) : nil
        let window = Self.untestedSpan(members).flatMap { $0.isPositive ? $0 : nil }
        var urls = members.texts("beaconurls")
        if let uri = members.text("uri") { urls.append(uri) }
        var event = answer.event(name, urls, statedOffset: stated, window: window, at: node)
        if isLinear, let type = event?.type { event?.isReportedByService = mode.isReportedByService(type) }
        return event
    }

    /// Overlays and breaks list events without times as second 0 without a text, or with an empty one.
    private static func isTimed(_ members: MediaTailorMembers) -> Bool {
        if ListedTime.seconds(members["starttime"]) != nil { return true }
        return ListedTime.seconds(members["starttimeinseconds"]).map { $0 != .zero } ?? false
    }

    // MARK: Times

    private static func untestedTime(_ members: MediaTailorMembers) -> ExactDecimal? {
        ListedTime.seconds(members["starttimeinseconds"]) ?? ListedTime.seconds(members["starttime"])
    }

    private static func untestedSpan(_ members: MediaTailorMembers) -> ExactDecimal? {
        ListedTime.seconds(members["durationinseconds"]) ?? ListedTime.seconds(members["duration"])
    }

    private mutating func time(_ members: MediaTailorMembers, at node: String) -> ExactDecimal? {
        compare(members["starttimeinseconds"], members["starttime"], "startTime", at: node)
        return Self.untestedTime(members)
    }

    private static func lackOfStart(_ members: MediaTailorMembers) -> String {
        ListedTime.lackOfStart(members["starttimeinseconds"] ?? members["starttime"])
    }

    private mutating func span(_ members: MediaTailorMembers, at node: String) -> ExactDecimal? {
        compare(members["durationinseconds"], members["duration"], "duration", at: node)
        return Self.untestedSpan(members)
    }

    private mutating func compare(_ number: JSONValue?, _ text: JSONValue?, _ name: String, at node: String) {
        guard let number = ListedTime.seconds(number), let written = ListedTime.seconds(text),
            let limit = Self.contradiction, number.distance(to: written) > limit
        else { return }
        answer.report(.contradiction, "\(name) is \(written) s in one spelling and \(number) s in the other", at: node)
    }
}

import Ports

/// Listed breaks as the rest of the program knows them.
extension AdBreak {
    /// The break on the dates of the stream; nil while it has no date.
    /// - Parameter edge: where a live stream ends; nil for recorded media, whose breaks are final.
    init?(_ listed: ListedBreak, listedUntil edge: ListedEdge?) {
        guard let start = listed.date else { return nil }
        let length = listed.length
        self.init(
            name: listed.writtenID ?? "at \(listed.start)", start: start,
            duration: length?.asSeconds ?? .zero,
            ads: listed.ads.compactMap(Ad.init).sortedStably { $0.start < $1.start })
        listedStart = listed.start
        if let planned = listed.planned { extras.append("planned", .string("\(planned) s")) }
        if !listed.isLinear { extras.append("linear", false) }
        let promised = listed.planned.map { start + $0.asSeconds }
        let isFinal = edge.map { $0.isBehind(plannedEnd, promised: promised) } ?? true || listed.isFilled
        place(listed.events.inOrder(inLength: length), of: listed, isFinal: isFinal)
    }

    /// Gives the events of the break to its ads: the model has none without an ad. Ads over the media get them only where there are no
    /// others, because they may begin and end anywhere in the break (PRV-24). Those at the end wait until the break does
    /// not grow any more, because the ad that they would belong to may not be the last one (PRV-25). An id of the media is shown with
    /// the ad that is on air there.
    private mutating func place(_ events: [ListedEvent], of listed: ListedBreak, isFinal: Bool) {
        let due = events.filter { isFinal || !$0.type.waitsForEnd }
        guard !due.isEmpty else { return }
        if ads.isEmpty { ads = [Ad(name: name, start: start, duration: duration)] }
        let linear = ads.indices.filter { ads[$0].isLinear }
        let places = linear.isEmpty ? Array(ads.indices) : linear
        for event in due {
            guard let planned = TrackingEvent(event, from: start, length: listed.length) else { continue }
            let onAir = event.isVerification ? places.last { ads[$0].start <= planned.start } : nil
            guard let index = event.type.waitsForEnd ? places.last : onAir ?? places.first else { continue }
            ads[index].events.append(planned)
        }
    }
}

extension ListedBreak {
    /// Whether it is as long as its marker promised.
    fileprivate var isFilled: Bool {
        guard let planned, let length else { return false }
        return planned.minus(length) <= .listedTolerance
    }
}

extension Ad {
    /// The ad on the dates of the stream; nil while it has no date.
    init?(_ listed: ListedAd) {
        guard let start = listed.date else { return nil }
        let (length, parts) = (listed.length, listed.parts.placed(at: start))
        self.init(
            name: listed.id ?? "at \(listed.start)", start: start, duration: length?.asSeconds ?? .zero,
            events: listed.events.inOrder(inLength: length).compactMap {
                TrackingEvent($0, from: start, length: length)
            }, clickThrough: listed.clickThrough, companions: parts.companions, verifications: parts.verifications,
            icons: parts.icons, extras: listed.extras)
        listedStart = listed.start
        isSeenInPart = listed.isSeenInPart
        // An ad without a length lasts until its last event, or no later event would be due.
        if length == nil { duration = plannedEnd - start }
        if let creative = listed.creative { extras.append("creativeId", .string(creative)) }
        if !listed.isLinear { extras.append("linear", false) }
        if listed.isSlate { extras.append("slate", true) }
    }
}

extension TrackingEvent {
    /// The event of an owner with that start and length; nil for one whose moment follows from a length that is not known yet.
    fileprivate init?(_ listed: ListedEvent, from start: UnixTime, length: ExactDecimal?) {
        let offset = listed.offset(inLength: length)
        if offset == nil, listed.type.eventClass == .time { return nil }
        // Without a moment of its own it is the viewer's or the player's, as long as its owner lasts.
        let span = listed.window ?? (offset == nil ? length : nil) ?? .zero
        self.init(
            type: listed.type, rawName: listed.name, start: start + (offset ?? .zero).asSeconds,
            duration: span.asSeconds, urls: listed.urls)
        isWindowed = listed.window != nil && eventClass != .time
        isReportedByService = listed.isReportedByService
        isVerification = listed.isVerification
    }
}

// MARK: Documents on dates

extension ListedBreak {
    init(_ adBreak: AdBreak) {
        self.init(
            id: adBreak.name, start: ExactDecimal(adBreak.start),
            statedDuration: ExactDecimal(seconds: adBreak.duration))
        date = adBreak.start
        ads = adBreak.ads.map { ListedAd($0) }
    }
}

extension ListedAd {
    init(_ ad: Ad) {
        self.init(id: ad.name, start: ExactDecimal(ad.start), length: ExactDecimal(seconds: ad.duration))
        date = ad.start
        clickThrough = ad.clickThrough
        events = ad.events.map { event in
            let window = event.isSpan ? ExactDecimal(seconds: event.duration) : nil
            return ListedEvent(
                event.rawName, statedOffset: ExactDecimal(seconds: event.start - ad.start), window: window,
                urls: event.urls)
        }
    }
}

extension ExactDecimal {
    /// A date as seconds since 1970.
    fileprivate init(_ date: UnixTime) {
        self.init(seconds: .microseconds(date.microseconds))
    }
}

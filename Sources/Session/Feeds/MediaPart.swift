import AdTracking
import HLS
import Ports

/// Reading the timed metadata of segments, for a provider whose ads it places: each segment once, before the viewer plays it.
struct MediaPart {
    /// How far ahead of the viewer segments are read.
    static let ahead: Duration = .seconds(60)
    static let inFlightLimit = 2
    /// Most segments that are looked at for one input: a server may list any number in what is read ahead.
    static let scanLimit = 1_024
    static let attempts = 4
    static let pause: Duration = .seconds(1)
    /// Most initialization sections that are remembered.
    private static let sectionLimit = 32

    private struct Work {
        var segment: TimelineSegment
        /// The initialization section of fragmented MP4.
        var section: MediaInitialization?
        /// Whether the section itself is read.
        var isSection = false
        /// Whether all of it is read: of a transport stream, of packed audio, and of fragmented MP4 in chunks.
        var isWhole = false
        var attempts = 1

        /// The part of the resource that is read of; nil for all of it.
        var byteRange: ByteRange? { isSection ? section?.byteRange : segment.byteRange }
    }

    private var asked: [RequestID: Work] = [:]
    /// Segments that were read, are being read, or are given up, by their starts.
    private var taken: Set<StreamTime> = []
    /// Where the first segment may be that the viewer plays or has played since it came here, and that was not taken: on a slow machine
    /// the playhead passes segments before they are read.
    private var untakenFrom: StreamTime?
    /// Media date at which the viewer joined, or went to last.
    private(set) var readFrom: UnixTime?
    /// What failed and is tried again, and when.
    private var failed: [(work: Work, at: Duration)] = []
    private var scales: [MediaInitialization: TrackScales] = [:]
    /// Those whose segments consist of chunks.
    private var chunked: Set<MediaInitialization> = []
    /// Number of the playlist that the provider saw last.
    var seenPlaylist: Int?
    /// Reasons why segments are not read that were reported.
    private var reported: Set<String> = []

    /// Uptime of the next attempt; nil without one.
    var nextAt: Duration? {
        asked.count < Self.inFlightLimit ? failed.lazy.map(\.at).min() : nil
    }

    private var mayRequest: Bool { asked.count < Self.inFlightLimit }

    /// What failed and is due for another attempt; nil if there is nothing.
    private mutating func nextAttempt(at now: Moment) -> Work? {
        guard let index = failed.firstIndex(where: { $0.at <= now.uptime }) else { return nil }
        var work = failed.remove(at: index).work
        work.attempts += 1
        return work
    }

    /// The listed segments that the viewer plays soon, or has played since it came to its place.
    private func listed(
        to end: StreamTime, for position: StreamTime, on timeline: Timeline
    ) -> ArraySlice<TimelineSegment> {
        timeline.listed(from: min(untakenFrom ?? position, position), to: end).prefix(Self.scanLimit)
    }

    private mutating func forgetTaken(on timeline: Timeline) {
        guard let first = timeline.segments.first, taken.count > timeline.segments.count * 2 else { return }
        taken = taken.filter { $0 >= first.start }
    }

    /// Plans another attempt; false when there were enough.
    private mutating func isTriedAgain(_ work: Work, at now: Moment) -> Bool {
        guard work.attempts < Self.attempts else { return false }
        failed.append((work, now.uptime + Self.pause * work.attempts))
        return true
    }

    /// The time scales of a section; nil while they were not read.
    private func scales(of section: MediaInitialization?) -> TrackScales? {
        guard let section else { return TrackScales.none }
        return scales[section]
    }

    private mutating func note(_ read: TrackScales, of section: MediaInitialization) {
        if scales.count >= Self.sectionLimit { scales = [:] }
        scales[section] = read
    }
}

/// Requests for segments and what becomes of the answers.
extension MediaPart {
    /// The viewer joins at `position` or goes there: what is before is not played.
    /// - Parameter date: media date of the position.
    mutating func plays(from position: StreamTime, date: UnixTime?) {
        (untakenFrom, readFrom) = (position, date)
    }

    /// What a provider may know of the reading.
    func reading(
        to position: StreamTime, on stream: StreamFacts, for provider: any AdMetadataProvider
    ) -> MediaReading {
        let passed = listed(to: position, for: position, on: stream.timeline)
        let untaken = passed.first {
            !$0.isGap && !taken.contains($0.start) && provider.readsMedia(of: $0.start..<$0.end, on: stream)
        }
        let pending = asked.values.map(\.segment) + failed.map(\.work.segment) + [untaken].compactMap(\.self)
        return MediaReading(from: readFrom, awaited: pending.min { $0.start < $1.start }?.date)
    }

    /// Requests the next segments.
    mutating func read(
        from position: StreamTime, on stream: StreamFacts, for provider: any AdMetadataProvider, _ desk: inout Desk,
        at now: Moment
    ) {
        let timeline = stream.timeline
        while mayRequest, let work = nextAttempt(at: now) { read(work, on: timeline, &desk, at: now) }
        guard mayRequest else { return }
        forgetTaken(on: timeline)
        for segment in listed(to: position + Self.ahead, for: position, on: timeline) {
            guard mayRequest else { return }
            if !segment.isGap, !taken.contains(segment.start),
                provider.readsMedia(of: segment.start..<segment.end, on: stream)
            {
                taken.insert(segment.start)
                read(Work(segment: segment), on: timeline, &desk, at: now)
            }
            if segment.end <= position { untakenFrom = segment.end }
        }
    }

    private mutating func read(_ work: Work, on timeline: Timeline, _ desk: inout Desk, at now: Moment) {
        var work = work
        if let listed = timeline.playlist?.listed(work.segment) {
            work.section = listed.map
            if listed.keys.contains(where: { $0.method == "AES-128" }) {
                return giveUp("they are encrypted as a whole (AES-128)", &desk, at: now)
            }
        }
        if scales(of: work.section) == nil { work.isSection = true }
        work.isWhole = !work.isSection && work.section.map(chunked.contains) ?? true
        let uri = work.isSection ? work.section?.uri : work.segment.uri
        let range = work.byteRange
        let limit = work.isWhole ? Limits.segmentBytes : Limits.segmentHeadBytes
        guard let uri, let url = try? WebURL(written: uri) else {
            return giveUp("their addresses are not usable", &desk, at: now)
        }
        // Whatever the provider of the session is: a stream may be stitched by two services.
        guard !ProviderTable.isReport(url) else { return giveUp(Self.wouldReport, &desk, at: now) }
        let start = range?.offset ?? 0
        let count = max(1, min(range?.length ?? limit, limit))
        let fields = [HTTPField("Range", "bytes=\(start)-\(start.addingSaturating(count - 1))")]
        let id = desk.fetchBeginning(.segment, ProviderRequest(url, fields: fields), limit: limit, at: now)
        asked[id] = work
    }

    /// What a segment carries, and where.
    mutating func answered(
        _ id: RequestID, _ exchange: HTTPExchange, on timeline: Timeline, _ desk: inout Desk, at now: Moment
    ) -> [MediaMark] {
        guard var work = asked.removeValue(forKey: id) else { return [] }
        if exchange.failure?.kind == .redirectToReport {
            giveUp(Self.wouldReport, &desk, at: now)
            return []
        }
        guard exchange.isSuccess else {
            failed(work, Wording.problem(exchange), on: timeline, &desk, at: now)
            return []
        }
        guard Self.begins(exchange, asAsked: work) else {
            giveUp("their server ignores the byte range of a request", &desk, at: now)
            return []
        }
        if work.isSection, let section = work.section {
            note(TrackScales(exchange.body), of: section)
            work.isSection = false
            read(work, on: timeline, &desk, at: now)
            return []
        }
        let total = Self.total(of: work.segment, exchange)
        if let section = work.section, !work.isWhole, SegmentMetadata.isChunked(exchange.body, of: total) {
            if chunked.count >= Self.sectionLimit { chunked = [] }
            chunked.insert(section)
            read(work, on: timeline, &desk, at: now)
            return []
        }
        if work.isWhole, exchange.isBodyCut || (total ?? 0) > Limits.segmentBytes {
            giveUp(
                "they are longer than \(Limits.segmentBytes >> 20) MiB, of which the rest is not read", &desk, at: now)
        }
        let found = SegmentMetadata.read(exchange.body, scales(of: work.section) ?? .none)
        return found.map { Self.mark($0, in: work.segment) }
    }

    private static func mark(_ found: TimedMetadata, in segment: TimelineSegment) -> MediaMark {
        let position = segment.start + found.offset
        let date = segment.date(at: position)
        let moment = date.map(MediaMoment.init) ?? MediaMoment(seconds: ExactDecimal(seconds: position - .zero))
        return MediaMark(found, at: moment, position: position)
    }

    /// Whether the body begins at the byte that was asked for. A server may ignore a range (RFC 9110 section 14.2): its answer would be the
    /// beginning of another segment.
    private static func begins(_ exchange: HTTPExchange, asAsked work: Work) -> Bool {
        let start = work.byteRange?.offset ?? 0
        guard exchange.status == 206 else { return start == 0 }
        guard let range = exchange.fields["content-range"] else { return true }
        return range.lowercased().hasPrefix("bytes \(start)-")
    }

    /// Bytes of the segment, of which the answer may have a part; nil where that is not known.
    private static func total(of segment: TimelineSegment, _ exchange: HTTPExchange) -> Int? {
        if let range = segment.byteRange { return range.length }
        guard exchange.status == 206 else { return exchange.fields["content-length"].flatMap { Int($0) } }
        return exchange.fields["content-range"]?.split(separator: "/").last.flatMap { Int($0) }
    }

    private mutating func failed(
        _ work: Work, _ problem: String, on timeline: Timeline, _ desk: inout Desk, at now: Moment
    ) {
        guard !isTriedAgain(work, at: now) else {
            return desk.note(.debug, "segment \(work.segment.sequence): \(problem)", from: .playlist, at: now)
        }
        if work.isSection, let section = work.section {
            note(.none, of: section)
            var work = work
            (work.isSection, work.attempts) = (false, 1)
            return read(work, on: timeline, &desk, at: now)
        }
        desk.noteError(
            .network, "segment \(work.segment.sequence): \(problem); its media ids are not known", from: .playlist,
            at: now)
        giveUp("requests for them fail", &desk, at: now)
    }

    private static let wouldReport = "their request would report the ad to its service"

    /// Reports once why media ids of segments are missing.
    private mutating func giveUp(_ reason: String, _ desk: inout Desk, at now: Moment) {
        guard reported.insert(reason).inserted else { return }
        let finding = Finding(
            rule: SessionRule.mediaUnread, severity: .warning,
            message: "media ids in segments are not read: \(reason)", section: "PRV-47")
        desk.noteFindings([finding], from: .playlist, at: now)
    }
}

extension MediaPlaylist {
    /// The listed segment with the keys and the map of a known one; nil when that is no longer listed. It is found by its number,
    /// because a search by name would compare all segments for each one.
    fileprivate func listed(_ known: TimelineSegment) -> MediaSegment? {
        guard let first = segments.first else { return nil }
        let index = known.sequence.subtractingSaturating(first.sequence)
        guard segments.indices.contains(index), segments[index].uri == known.uri,
            segments[index].byteRange == known.byteRange
        else { return nil }
        return segments[index]
    }
}

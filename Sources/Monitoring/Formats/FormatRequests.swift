package import AdFormats
import AdTracking
package import CreativeCache
import Ports

/// Requests of ad spaces: calls of the ad server one after the other, and the videos of rewarded zones.
extension MonitorState {
    mutating func callNext(at now: Moment) {
        guard formats.current == nil, !formats.queue.isEmpty else { return }
        let call = formats.queue.removeFirst()
        formats.current = (fetch(.adCall, call.request, at: now), call)
    }

    mutating func adCallAnswered(_ id: RequestID, _ exchange: HTTPExchange, at now: Moment) {
        guard let current = formats.current, current.id == id else { return }
        formats.current = nil
        formats.isUp = exchange.status != nil
        apply(.answered(current.call.number, exchange), to: current.call.slot, at: now)
        callNext(at: now)
    }

    func storedZone(_ unit: String, at now: Moment) -> StoredZone? {
        guard let kept = formats.zones[unit] else { return nil }
        let age = now.uptime - kept.at
        let presence = ZonePresence(zone: unit, age: age, hasResponse: true, hasMedia: true)
        guard presence.verdict(for: unit) == .hit else { return nil }
        var zone = kept.zone
        zone.media.age = age
        return zone
    }

    /// Takes the quality that the last download allows (table 5), and measures this one.
    mutating func download(_ order: MediaOrder, for index: Int, at now: Moment) {
        let quality = QualitySelector.next(after: formats.lastDownload)
        guard let mapping = MediaMapping(order.files.map(Rendition.init)) else {
            let input = SlotInput.mediaFailed(code: MediaMapping.nothingPlayableCode, "no file can be played")
            return apply(input, to: index, at: now)
        }
        let rendition = mapping[quality]
        guard let url = try? WebURL(rendition.url) else {
            return apply(.mediaFailed(code: 401, "the file's address cannot be requested"), to: index, at: now)
        }
        var request = HTTPRequest(
            url: url, fields: [HTTPField("User-Agent", configuration.userAgent)],
            maximumBodyBytes: FormatsPart.mediaBytes, cutsLongBody: true)
        request.addressRule = beaconGate.addressRule
        formats.downloads[fetch(.adMedia, request, at: now)] = FormatsPart.Download(
            slot: index, order: order, rendition: rendition, quality: quality)
    }

    mutating func adMediaAnswered(_ id: RequestID, _ exchange: HTTPExchange, at now: Moment) {
        guard let download = formats.downloads.removeValue(forKey: id) else { return }
        guard exchange.isSuccess, ZonePlan.isMedia(contentType: exchange.contentType) else {
            let why =
                exchange.isSuccess
                ? "content-type \(exchange.contentType ?? "missing") is no video" : Wording.problem(exchange)
            return apply(.mediaFailed(code: exchange.isSuccess ? 405 : 401, why), to: download.slot, at: now)
        }
        let (rendition, quality) = (download.rendition, download.quality)
        var media = PreparedMedia(
            url: rendition.url, quality: quality.rawValue, width: rendition.width, height: rendition.height,
            bitrate: rendition.bitrate, reason: QualitySelector.reason(after: formats.lastDownload))
        media.type = exchange.contentType
        // Only its beginning was received.
        media.bytes = exchange.fields["content-length"].flatMap { Int($0) } ?? exchange.bodyBytes
        media.examine(exchange.body)
        formats.lastDownload = DownloadMeasurement(
            seconds: Double(exchange.timings.total) / 1_000_000, quality: quality, bytes: exchange.bodyBytes)
        if formats.zones.count >= FormatsPart.zonesKept,
            let oldest = formats.zones.min(by: { ($0.value.at, $0.key) < ($1.value.at, $1.key) })
        {
            formats.zones[oldest.key] = nil
        }
        formats.zones[download.order.unit] = FormatsPart.Kept(
            zone: StoredZone(response: download.order.response, sourceURL: download.order.sourceURL, media: media),
            at: now.uptime)
        apply(.mediaPrepared(media), to: download.slot, at: now)
    }
}

extension Rendition {
    /// What the mapping looks at.
    package init(_ candidate: MediaCandidate) {
        self.init(
            url: candidate.url, type: candidate.type, delivery: candidate.delivery, bitrate: candidate.bitrate,
            width: candidate.width, height: candidate.height)
    }
}

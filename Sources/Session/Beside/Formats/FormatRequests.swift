package import AdFormats
import AdTracking
package import CreativeCache
import Ports
import VAST

/// Requests of ad spaces: ad server calls one after the other, and the videos of rewarded zones.
extension Beside {
    mutating func callNext(_ desk: inout Desk, at now: Moment) {
        guard formats.current == nil, !formats.queue.isEmpty else { return }
        let call = formats.queue.removeFirst()
        formats.current = (desk.fetch(.adCall, call.request, at: now), call)
    }

    mutating func adCallAnswered(_ id: RequestID, _ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment) {
        guard let current = formats.current, current.id == id else { return }
        formats.current = nil
        formats.isUp = exchange.status != nil
        apply(.answered(current.call.number, exchange), to: current.call.slot, &desk, at: now)
        callNext(&desk, at: now)
    }

    /// Chooses the quality that the last download allows (table 5), and measures this download.
    mutating func download(_ order: MediaOrder, for index: Int, _ desk: inout Desk, at now: Moment) {
        let quality = QualitySelector.next(after: formats.lastDownload)
        guard let mapping = MediaMapping(order.files.map(Rendition.init)) else {
            let input = SlotInput.mediaFailed(code: MediaMapping.nothingPlayableCode, "no file can be played")
            return apply(input, to: index, &desk, at: now)
        }
        let rendition = mapping[quality]
        guard !formats.keepsZones else { return orderZone(order, rendition, quality, for: index, &desk, at: now) }
        guard let url = try? WebURL(PercentEncoding.requestTarget(rendition.url)) else {
            return apply(.mediaFailed(code: 401, "the file's address cannot be requested"), to: index, &desk, at: now)
        }
        var request = HTTPRequest(
            url: url, fields: [HTTPField("User-Agent", desk.configuration.userAgent)],
            maximumBodyBytes: FormatsPart.mediaBytes, cutsLongBody: true)
        request.addressRule = desk.beaconGate.addressRule
        formats.downloads[desk.fetch(.adMedia, request, at: now)] = FormatsPart.Download(
            slot: index, order: order, rendition: rendition, quality: quality)
    }

    mutating func adMediaAnswered(_ id: RequestID, _ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment) {
        guard let download = formats.downloads.removeValue(forKey: id) else { return }
        guard exchange.isSuccess, ZonePlan.isMedia(contentType: exchange.contentType) else {
            let why =
                exchange.isSuccess
                ? "content-type \(exchange.contentType ?? "missing") is not a video" : Wording.problem(exchange)
            let code = exchange.isSuccess ? 405 : exchange.mediaErrorCode
            return apply(.mediaFailed(code: code, why), to: download.slot, &desk, at: now)
        }
        var media = download.media(after: formats.lastDownload)
        media.type = exchange.contentType
        // Only the beginning was received.
        media.bytes = exchange.fields["content-length"].flatMap { Int($0) } ?? exchange.bodyBytes
        media.examine(exchange.body)
        formats.lastDownload = DownloadMeasurement(
            seconds: Double(exchange.timings.total) / 1_000_000, quality: download.quality, bytes: exchange.bodyBytes)
        remember(download, media, at: now)
        apply(.mediaPrepared(media), to: download.slot, &desk, at: now)
    }

    private mutating func remember(_ download: FormatsPart.Download, _ media: PreparedMedia, at now: Moment) {
        guard let measurement = formats.lastDownload else { return }
        if formats.zones.count >= FormatsPart.zonesKept,
            let oldest = formats.zones.min(by: { ($0.value.at, $0.key) < ($1.value.at, $1.key) })
        {
            formats.zones[oldest.key] = nil
        }
        let order = download.order
        formats.zones[order.unit] = FormatsPart.Kept(
            zone: StoredZone(response: order.response, sourceURL: order.sourceURL, media: media), at: now.uptime,
            row: ZoneRow(
                zone: order.unit, storedAt: now.wall, responseBytes: order.response.count,
                mediaBytes: media.bytes ?? 0, measurement: measurement))
    }
}

extension Rendition {
    /// The fields that the mapping reads.
    package init(_ candidate: MediaCandidate) {
        self.init(
            url: candidate.url, type: candidate.type, delivery: candidate.delivery, bitrate: candidate.bitrate,
            width: candidate.width, height: candidate.height)
    }
}

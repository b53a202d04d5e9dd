import CreativeCache
import CreativeServer
import Live
import Ports
import Session
import VAST

/// Warms zones, or reports what warming would do.
struct ZoneRun {
    let place: ZoneFolderOptions
    let isPreview: Bool
    let input: InputSource

    func run(_ zones: [ZoneAddress], json: Bool) async throws {
        let store = try store()
        let requests = try input.requests()
        var reports: [ZoneReport] = []
        for zone in zones { reports.append(await warm(zone, store, requests)) }
        await requests.end()
        ZoneReport.print(reports, json: json)
        if let status = reports.compactMap(\.status).first { throw status.code }
    }

    /// Nil for a preview in a folder that warming would create.
    private func store() throws(CommandFailure) -> ZoneStore? {
        if isPreview, let folder = place.folder, (try? CacheFolderOptions.checkExists(folder)) == nil { return nil }
        return try place.store()
    }

    private func warm(_ zone: ZoneAddress, _ store: ZoneStore?, _ requests: ToolRequests) async -> ZoneReport {
        let time = SystemTimeSource()
        let nothing = ZonePresence(zone: nil, age: .zero, hasResponse: false, hasMedia: false)
        let (saved, verdict) =
            store?.look(up: zone.name, at: time.now().wall) ?? (nil, nothing.verdict(for: zone.name))
        if verdict == .hit, let saved {
            if !isPreview { store?.use(zone.name) }
            return ZoneReport(saved: saved.record, verdict: verdict, at: time.now().wall)
        }
        let history = store?.newestMeasurement
        do throws(ZoneFailure) {
            let (response, mapping) = try await ask(zone, requests)
            let quality = QualitySelector.next(after: history)
            var report = ZoneReport(
                zone: zone.name, verdict: verdict, quality: quality, rendition: mapping[quality],
                reason: QualitySelector.reason(after: history), at: time.now().wall)
            guard !isPreview, let store else { return report }
            report.saved = try await download(
                zone, response: response, rendition: mapping[quality], quality: quality, store, requests)
            return report
        } catch {
            return ZoneReport(zone: zone.name, verdict: verdict, failure: error, at: time.now().wall)
        }
    }

    /// The ad server's answer, through its wrappers, and the three renditions of its first playable ad.
    private func ask(
        _ zone: ZoneAddress, _ requests: ToolRequests
    ) async throws(ZoneFailure) -> (response: [UInt8], mapping: MediaMapping) {
        let exchange = await requests.adCalls(typed: zone.typed).send(
            HTTPRequest(url: zone.url, fields: requests.agentFields, maximumBodyBytes: Limits.vastBytes))
        guard exchange.isSuccess else { throw ZoneFailure(.network, ZoneFailure.clause(exchange)) }
        guard exchange.status != 204, !exchange.body.isEmpty else {
            throw ZoneFailure(.findings, "no fill: the ad response is empty", vastCode: 303)
        }
        guard let vast = VASTReader.read(exchange.body, charset: exchange.charset).vast else {
            throw ZoneFailure(.findings, "the ad response is not a VAST document")
        }
        var linears = vast.ads.filter { $0.wrapper == nil }.flatMap(\.linears)
        if linears.isEmpty, vast.ads.contains(where: { $0.wrapper != nil }) {
            linears = await resolved(exchange, zone, requests)
        }
        guard let mapping = linears.lazy.compactMap({ MediaMapping($0.mediaFiles.map(Rendition.init)) }).first else {
            throw ZoneFailure(
                .findings, "no MP4 file to download (VAST error \(MediaMapping.nothingPlayableCode))")
        }
        // The store keeps the response without its header.
        return (DecodedText.standalone(exchange.body, charset: exchange.charset), mapping)
    }

    private func resolved(
        _ answer: HTTPExchange, _ zone: ZoneAddress, _ requests: ToolRequests
    ) async -> [VASTDocument.Linear] {
        let time = SystemTimeSource()
        var values = MacroValues()
        values[.timestamp] = .timestamp(time.now().wall)
        let agent = requests.agent(or: MonitorConfiguration.defaultUserAgent(version: Version.current))
        let resolver = TagResolver(
            transport: requests.adCalls(typed: zone.typed), cookies: nil, clock: time,
            settings: TagRequestSettings(userAgent: agent))
        let course = await resolver.resolve(
            WrapperResolution(tag: zone.url.text, values: values, seed: UInt64.random(in: 0 ... .max)),
            from: .document(answer.body, url: zone.url.text, charset: answer.charset))
        return course.resolution.result.ads.flatMap(\.linears).map(\.linear)
    }

    private func download(
        _ zone: ZoneAddress, response: [UInt8], rendition: Rendition, quality: Quality, _ store: ZoneStore,
        _ requests: ToolRequests
    ) async throws(ZoneFailure) -> ZoneRecord {
        var download = ZoneDownload(
            zone: zone.name, sourceURL: zone.url.text, response: response, rendition: rendition, quality: quality,
            time: SystemTimeSource())
        download.userAgent = requests.agentFields["user-agent"]
        let (record, media) = try await download.run(requests.adCalls(typed: zone.typed))
        do throws(FileProblem) {
            _ = try store.save(record, media: media)
        } catch {
            throw ZoneFailure(.unreadable, "\(error)")
        }
        return record
    }
}

extension Rendition {
    /// The properties of a media file that the mapping uses.
    init(_ file: VASTDocument.MediaFile) {
        self.init(
            url: file.url, type: file.type, delivery: file.delivery, bitrate: file.bitrate ?? file.maximumBitrate,
            width: file.width, height: file.height)
    }
}

/// The state of one zone after a verb.
struct ZoneReport {
    var zone: String
    var verdict: ZoneVerdict
    var quality: Quality?
    var rendition: Rendition?
    var reason: String?
    var saved: ZoneRecord?
    var failure: ZoneFailure?
    var at: UnixTime

    init(
        zone: String, verdict: ZoneVerdict, quality: Quality? = nil, rendition: Rendition? = nil,
        reason: String? = nil, failure: ZoneFailure? = nil, at: UnixTime
    ) {
        self.zone = zone
        self.verdict = verdict
        self.quality = quality
        self.rendition = rendition
        self.reason = reason
        self.failure = failure
        self.at = at
    }

    init(saved: ZoneRecord, verdict: ZoneVerdict, at: UnixTime) {
        self.init(zone: saved.zone, verdict: verdict, at: at)
        self.saved = saved
    }

    var status: ExitStatus? { failure?.status }

    static func print(_ reports: [ZoneReport], json: Bool) {
        if json {
            let value: JSONValue = ["schema": "adtop-zones/1", "zones": .array(reports.map(\.json))]
            Output.write(value.text(indented: true) + "\n")
        } else {
            reports.flatMap(\.lines).forEach { Output.line($0) }
            if reports.isEmpty { Output.line("no saved zones") }
        }
    }

    private var lines: [String] {
        var lines = [zone]
        switch verdict {
        case .hit: lines.append("  from the cache")
        case .miss(let reason): lines.append("  not cached: \(reason.explanation)")
        }
        if let quality, let rendition, let reason {
            lines.append("  quality \(quality.rawValue): \(reason)")
            lines.append("  media \(rendition.url)")
        }
        if let saved {
            let age = Duration.seconds((at - saved.storedAt).inMilliseconds / 1_000)
            let speed = saved.measurement.kilobitsPerSecond.map { ", \(Int($0.rounded()).grouped) kbit/s" } ?? ""
            lines.append(
                "  \(saved.measurement.quality.rawValue) quality, \(saved.mediaBytes) bytes in "
                    + "\(Duration(finiteSeconds: saved.measurement.seconds)?.text ?? "?")\(speed), age \(age.text)")
        }
        if let failure { lines.append("  ✗ \(failure.clause)") }
        return lines
    }

    private var json: JSONValue {
        let reason: String? = if case .miss(let reason) = verdict { reason.rawValue } else { nil }
        return [
            "zone": .string(zone), "hit": .bool(verdict == .hit), "missReason": .optional(reason),
            "quality": .optional((quality ?? saved?.measurement.quality)?.rawValue),
            "qualityReason": .optional(self.reason), "mediaUrl": .optional(rendition?.url ?? saved?.mediaURL),
            "mediaBytes": .optional(saved?.mediaBytes), "storedAtMs": .optional(saved?.storedAt.milliseconds),
            "seconds": .optional(saved?.measurement.seconds),
            "kilobitsPerSecond": .optional(saved?.measurement.kilobitsPerSecond),
            "failure": .optional(failure?.clause),
        ]
    }
}

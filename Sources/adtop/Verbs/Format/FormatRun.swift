import AdFormats
import CreativeCache
import CreativeServer
import Foundation
import Live
import Ports
import Session
import VAST

/// One ad from load to its end, without a screen: real requests and a real plugin process until the ad is loaded, then
/// a simulated clock. Beacons are listed, never sent.
actor FormatRun {
    /// External events.
    private enum News: Sendable {
        case answered(Int, HTTPExchange)
        case media(PreparedMedia, ZoneRecord, [UInt8])
        case mediaFailed(code: Int, String)
        case process(PluginProcess.Event)
        case due
    }

    private(set) var slot: AdSlot
    private(set) var trace = FormatTrace()
    private let transport: any HTTPTransport
    private let time: any TimeSource
    private let began: Moment
    /// How far the simulated clock is ahead of the real one.
    private var ahead = Duration.zero
    private var session = PluginSession()
    private var standstill = Standstill()
    private let process: PluginProcess?
    /// The rewarded zones of this computer; nil keeps none.
    private let zones: ZoneStore?
    private let news: AsyncStream<News>
    private let sink: AsyncStream<News>.Continuation
    /// Requests, the process's events and the alarm; `finish` ends them.
    private var tasks: [Task<Void, Never>] = []
    private var alarm: Task<Void, Never>?
    /// The uptime at which the alarm set last rings.
    private var alarmAt: Duration?

    init(
        _ slot: AdSlot, process: PluginProcess?, configuration: JSONValue, transport: any HTTPTransport,
        time: any TimeSource, zones: ZoneStore? = nil
    ) {
        self.slot = slot
        self.zones = zones
        self.process = process
        self.transport = transport
        self.time = time
        began = time.now()
        (news, sink) = AsyncStream.makeStream()
        _ = standstill.inputArrived(at: began.uptime, alarm: nil)
        guard let process else { return }
        let greeting = session.started(
            configuration: configuration, parameters: slot.parameters.json, at: began.uptime)
        tasks = [
            // Ended by `finish`, or before by the end of the process.
            Task { [sink] in for await event in process.events { sink.yield(.process(event)) } }
        ]
        for case .write(let line) in greeting { _ = process.write(line) }
    }

    /// Loads the ad and waits until it is loaded or has failed.
    func load() async {
        apply(.load)
        var iterator = news.makeAsyncIterator()
        while slot.state == .loading {
            setAlarm()
            guard let event = await iterator.next(isolation: self) else { return }
            take(event)
        }
        alarm?.cancel()
    }

    /// Makes these shares of the ad visible in sequence, each for as long as viewability requires.
    func see(_ shares: [Double]) {
        for share in shares {
            apply(.shareVisible(share))
            pass(Self.dwell)
        }
    }

    /// Longer than any viewability condition.
    private static let dwell: Duration = .seconds(3)
    /// Longer than any ad.
    private static let longest: Duration = .seconds(3_700)

    /// Sets the visible share at the beginning.
    func see(firstly share: Double) {
        apply(.shareVisible(share))
    }

    /// Shows the ad, plays it to its end, then closes it.
    func show(clicking: Bool) {
        apply(.show)
        guard slot.state == .impressed else { return }
        let end = ahead + Self.longest
        while case .rewarded(let player, _) = slot.content, player.phase == .playing, ahead < end,
            let due = slot.nextDue(after: now.uptime)
        {
            pass(max(.zero, due - now.uptime))
        }
        pass(Self.dwell)
        if clicking { apply(.click) }
        if slot.machine.isPresented { apply(.dismiss) }
    }

    func click() {
        apply(.click)
    }

    /// Cancels requests, and closes the plugin in order or kills it.
    func finish() async {
        alarm?.cancel()
        if !session.isEnded, process != nil {
            perform(session.close("done", at: time.now().uptime))
            while !session.isEnded {
                setAlarm()
                var iterator = news.makeAsyncIterator()
                guard let event = await iterator.next(isolation: self) else { break }
                take(event)
            }
        }
        process?.kill()
        alarm?.cancel()
        for task in tasks { task.cancel() }
    }

    // MARK: Time

    private var now: Moment { time.now().advanced(by: ahead) }

    private func pass(_ span: Duration) {
        let end = now.uptime + span
        while let due = slot.nextDue(after: now.uptime), due <= end {
            ahead += max(.zero, due - now.uptime)
            let before = now.uptime
            apply(.woke)
            // A slot that is due again at the same instant would loop forever.
            if slot.nextDue(after: before).map({ $0 <= before }) ?? false { break }
        }
        ahead += max(.zero, end - now.uptime)
        apply(.woke)
    }

    private func setAlarm() {
        alarm?.cancel()
        let dues = [slot.nextDue(after: now.uptime).map { $0 - ahead }, session.nextDue]
        alarmAt = dues.compactMap(\.self).min()
        guard let due = alarmAt else { return }
        // Ended by the next alarm, by `load` once the ad is there, or by `finish`.
        alarm = Task { [time, sink] in
            guard (try? await time.sleep(untilUptime: due)) != nil else { return }
            sink.yield(.due)
        }
    }

    // MARK: Inputs and effects

    private func take(_ event: News) {
        if let span = standstill.inputArrived(at: time.now().uptime, alarm: alarmAt) { session.stoodStill(for: span) }
        switch event {
        case .answered(let number, let exchange): apply(.answered(number, exchange))
        case .media(var media, let record, let bytes):
            keep(record, bytes)
            (media.type, media.bytes) = (record.mediaType, bytes.count)
            media.examine(bytes)
            apply(.mediaPrepared(media))
        case .mediaFailed(let code, let detail): apply(.mediaFailed(code: code, detail))
        case .process(let event):
            switch event {
            case .output(let bytes): perform(session.received(bytes, at: time.now().uptime))
            case .complaint(let bytes): perform(session.complained(bytes, at: time.now().uptime))
            case .exited(let how): perform(session.exited(how))
            }
            process?.taken()
            // A plugin that writes without end must not suppress the alarm.
            tick()
        case .due: tick()
        }
    }

    private func tick() {
        perform(session.advance(to: time.now().uptime))
        if let due = slot.nextDue(after: now.uptime), due <= now.uptime { apply(.woke) }
    }

    private func perform(_ outputs: [PluginSession.Output]) {
        for output in outputs {
            switch output {
            case .write(let line): if process?.write(line) == false { perform(session.wentDeaf()) }
            case .deliver(let message): apply(.pluginSent(message))
            case .note(let severity, let text): add(.note, "plugin: \(text)", severity)
            case .terminate: process?.terminate(within: PluginSession.shutdownSilence)
            case .kill: process?.kill()
            case .ended(let reason): apply(.pluginEnded(reason))
            }
        }
    }

    private func apply(_ input: SlotInput) {
        for effect in slot.apply(input, at: now) { perform(effect) }
    }

    private func perform(_ effect: SlotEffect) {
        switch effect {
        case .fetch(let number, let request):
            add(.request, request.url.text)
            start { [transport] in .answered(number, await transport.send(request)) }
        case .tell(let message): perform(session.send(message, at: time.now().uptime))
        case .lookUpZone(let unit): apply(.zoneLookedUp(storedZone(unit)))
        case .prepareMedia(let order): prepare(order)
        case .report(let report): add(.report, report.event, urls: report.shownURLs)
        case .notify(let callback):
            trace.now = elapsed
            callback.deliver(of: slot.name, surface: slot.surface, leavingTo: nil, to: &trace)
        case .open(let url): add(.open, url)
        case .note(let severity, let text): add(.note, text, severity)
        }
    }

    private func storedZone(_ unit: String) -> StoredZone? {
        let now = time.now().wall
        guard let zones else { return nil }
        let (saved, verdict) = zones.look(up: unit, at: now)
        guard verdict == .hit, let record = saved?.record else { return nil }
        zones.use(unit)
        let beginning = zones.beginning(of: unit, bytes: KeptZone.beginningBytes)
        return StoredZone(KeptZone(record, beginning: beginning), at: now)
    }

    /// Chooses the quality that the last download of this computer allows (table 5).
    private func prepare(_ order: MediaOrder) {
        let history = zones?.newestMeasurement
        let quality = QualitySelector.next(after: history)
        guard let mapping = MediaMapping(order.files.map { Rendition($0) }) else {
            return apply(.mediaFailed(code: MediaMapping.nothingPlayableCode, "no media file can be played"))
        }
        let chosen = mapping[quality]
        add(.request, chosen.url)
        let media = PreparedMedia(
            url: chosen.url, quality: quality.rawValue, width: chosen.width, height: chosen.height,
            bitrate: chosen.bitrate, reason: QualitySelector.reason(after: history))
        let download = ZoneDownload(
            zone: order.unit, sourceURL: order.sourceURL, response: order.response, rendition: chosen,
            quality: quality, time: time)
        start { [transport] in
            do throws(ZoneFailure) {
                let (record, bytes) = try await download.run(transport)
                return .media(media, record, bytes)
            } catch {
                return .mediaFailed(code: error.vastCode, error.clause)
            }
        }
    }

    /// Saves the zone; a zone that cannot be saved is still shown.
    private func keep(_ record: ZoneRecord, _ bytes: [UInt8]) {
        guard let zones else { return }
        do throws(FileProblem) {
            _ = try zones.save(record, media: bytes)
            add(.note, "zone saved for an hour")
        } catch {
            add(.note, "zone not saved: \(error)", .warning)
        }
    }

    private func start(_ work: @escaping @Sendable () async -> News) {
        // Ended by `finish`, or before by the answer.
        tasks.append(Task { [sink] in sink.yield(await work()) })
    }

    private var elapsed: Int64 { (now.uptime - began.uptime).inMilliseconds }

    private func add(_ kind: FormatTrace.Line.Kind, _ text: String, _ severity: Severity = .info, urls: [String] = []) {
        trace.now = elapsed
        trace.add(kind, text, severity, urls: urls)
    }
}

extension AdSlot {
    /// The surface that a banner or interstitial shows.
    var surface: AdSurface? {
        if case .surface(let surface, _) = content { surface } else { nil }
    }
}

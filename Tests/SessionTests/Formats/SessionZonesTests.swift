import AdFormats
import AdTracking
import CreativeCache
import Ports
import Testing

@testable import Session

/// Rewarded zones kept outside a session, tested through the session with the answers of a keeper.
@Suite struct SessionZonesTests {
    private static let document = """
        <VAST version="3.0"><Ad><InLine><Impression>http://127.0.0.1/imp</Impression><Creatives><Creative><Linear>
        <Duration>00:00:04</Duration><MediaFiles>
        <MediaFile delivery="progressive" type="video/mp4" bitrate="500">http://127.0.0.1/low.mp4</MediaFile>
        <MediaFile delivery="progressive" type="video/mp4" bitrate="900">http://127.0.0.1/high.mp4</MediaFile>
        </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
        """
    private static let fileType = Array("\u{0}\u{0}\u{0}\u{0C}ftypisom".utf8)

    private struct Bench: SteppedSession {
        var state: MonitorState
        var now = Moment(wall: UnixTime(milliseconds: 1_700_000_000_000), uptime: .seconds(10))
        var inputs: [RecordedInput] = []
        var effects: [Effect] = []

        init(keepsZones: Bool = true) throws {
            var configuration = MonitorConfiguration(mediaURL: try WebURL("http://127.0.0.1/live.m3u8"))
            (configuration.provider, configuration.mode) = (.none, .observe)
            var formats = FormatsConfiguration(
                adServer: try WebURL("http://127.0.0.1/ads/zone"),
                slots: [.init(name: "o", unit: "zone-1", format: .rewarded)])
            formats.keepsZones = keepsZones
            configuration.formats = formats
            state = MonitorState(configuration)
            apply(.started)
        }

        var fetched: [(id: RequestID, url: String)] {
            effects.compactMap {
                if case .fetch(let id, .adCall, let request) = $0 { (id, request.url.text) } else { nil }
            }
        }
        var looked: [String] {
            effects.compactMap { if case .beside(.lookUpZone(let unit)) = $0 { unit } else { nil } }
        }
        var orders: [ZoneOrder] {
            effects.compactMap { if case .beside(.loadZone(let order)) = $0 { order } else { nil } }
        }
        var slot: AdSlot? { state.beside.formats.slots.first }
        var zones: [String] { state.beside.zoneRows(at: now).map(\.zone) }
        var log: [String] { mutating get { state.snapshot(at: now).log.suffix(100).map(\.message) } }

        mutating func answerVideo(_ bytes: [UInt8]) {
            for case .fetch(let id, .adMedia, let request) in effects {
                apply(
                    .fetched(
                        id,
                        HTTPExchange(
                            hops: [
                                .init(
                                    url: request.url.text, status: 200, fields: [HTTPField("Content-Type", "video/mp4")]
                                )
                            ], body: bytes)))
            }
        }

        mutating func answer() {
            guard let call = fetched.last else { return }
            apply(
                .fetched(
                    call.id,
                    HTTPExchange(
                        hops: [
                            .init(url: call.url, status: 200, fields: [HTTPField("Content-Type", "application/xml")])
                        ],
                        body: Array(SessionZonesTests.document.utf8))))
        }
    }

    private func kept(_ order: ZoneOrder, at time: UnixTime, bytes: [UInt8] = fileType) -> KeptZone {
        KeptZone(
            ZoneRecord(
                zone: order.unit, storedAt: time, sourceURL: order.sourceURL, response: order.response,
                mediaURL: order.rendition.url, mediaType: "video/mp4", mediaBytes: bytes.count,
                measurement: DownloadMeasurement(seconds: 1.5, quality: order.quality, bytes: bytes.count)),
            beginning: bytes)
    }

    /// A session that found nothing, requested the zone, and ordered the video.
    private func ordered(history: DownloadMeasurement? = nil) throws -> (Bench, ZoneOrder) {
        var bench = try Bench()
        #expect(bench.looked == ["zone-1"] && bench.fetched.isEmpty)
        bench.apply(.beside(.zoneLookedUp("zone-1", ZoneLookup(kept: nil, history: history, rows: []))))
        #expect(bench.fetched.count == 1)
        bench.answer()
        return (bench, try #require(bench.orders.first))
    }

    @Test func whatIsNotKeptIsAskedForLoadedAndKept() throws {
        var (bench, order) = try ordered()
        #expect(order.unit == "zone-1" && order.quality == .low && order.rendition.url == "http://127.0.0.1/low.mp4")
        #expect(order.response == Array(Self.document.utf8))
        let zone = kept(order, at: bench.now.wall)
        bench.apply(
            .beside(.zoneLoaded(order.number, ZoneDelivery(.loaded(zone, problem: nil), rows: [ZoneRow(zone.record)]))))
        #expect(bench.slot?.state == .loaded)
        let view = bench.state.snapshot(at: bench.now)
        #expect(view.zones.map(\.zone) == ["zone-1"] && view.zones.first?.mediaBytes == Self.fileType.count)
        #expect(SnapshotJSON().value(of: view)["zones"]?.arrayValue?.first?["expiresAtMs"] == 1_700_003_600_000)
        // An hour later it is no longer listed.
        let later = bench.now.advanced(by: .seconds(3_600))
        var state = bench.state
        #expect(state.snapshot(at: later).zones.isEmpty)
    }

    @Test func whatIsKeptSparesTheCall() throws {
        var (bench, order) = try ordered()
        let zone = kept(order, at: bench.now.wall - .seconds(1_200))
        bench = try Bench()
        bench.apply(
            .beside(
                .zoneLookedUp(
                    "zone-1",
                    ZoneLookup(kept: zone, history: zone.record.measurement, rows: [ZoneRow(zone.record)]))))
        #expect(bench.fetched.isEmpty && bench.orders.isEmpty && bench.slot?.state == .loaded)
        guard case .rewarded(_, let media)? = bench.slot?.content else { throw AdError(.internalError, "no video") }
        #expect(media.age == .seconds(1_200) && media.reason == "kept from an earlier download")
        #expect(bench.state.snapshot(at: bench.now).zones.first?.hits == 1)
    }

    @Test func theLastDownloadOfThisComputerChoosesTheQuality() throws {
        let (_, order) = try ordered(history: DownloadMeasurement(seconds: 1, quality: .low))
        #expect(order.quality == .high && order.rendition.url == "http://127.0.0.1/high.mp4")
    }

    @Test func aDownloadThatFailsFailsTheLoad() throws {
        var (bench, order) = try ordered()
        bench.apply(.beside(.zoneLoaded(order.number, ZoneDelivery(.failed(code: 405, "it is no video"), rows: []))))
        #expect(bench.slot?.state == .failed && bench.slot?.error?.detail == "VAST error 405: it is no video")
    }

    @Test func whatCannotBeKeptIsShownNoneTheLess() throws {
        var (bench, order) = try ordered()
        let zone = kept(order, at: bench.now.wall)
        bench.apply(
            .beside(.zoneLoaded(order.number, ZoneDelivery(.loaded(zone, problem: "the disk is full"), rows: []))))
        #expect(bench.slot?.state == .loaded)
        let log = bench.state.snapshot(at: bench.now).log.suffix(100).map(\.message)
        #expect(log.contains("zone zone-1 not kept: the disk is full"))
        // An answer to an unknown order changes nothing.
        bench.apply(.beside(.zoneLoaded(99, ZoneDelivery(.failed(code: 900, "x"), rows: []))))
        #expect(bench.slot?.state == .loaded)
    }

    @Test func aRemovedZoneIsDeletedByTheKeeper() throws {
        var (bench, order) = try ordered()
        let zone = kept(order, at: bench.now.wall)
        let row = ZoneRow(zone.record)
        bench.apply(.beside(.zoneLoaded(order.number, ZoneDelivery(.loaded(zone, problem: nil), rows: [row]))))
        bench.apply(.beside(.formatActed(slot: "o", .show)))
        bench.apply(.beside(.zoneDiscarded("zone-1")))
        #expect(bench.effects.contains(.beside(.removeZone("zone-1"))))
        // It is listed until its files are deleted, and the ad that plays is not affected.
        #expect(bench.zones == ["zone-1"])
        bench.apply(.beside(.zoneRemoved("zone-1", ZoneRemoval(problem: "its files stay", rows: [row]))))
        #expect(bench.zones == ["zone-1"] && bench.log.last == "zone zone-1 cannot be deleted: its files stay")
        bench.apply(.beside(.zoneRemoved("zone-1", ZoneRemoval(rows: []))))
        #expect(bench.zones.isEmpty && bench.log.last == "zone zone-1: answer and video deleted")
        #expect(bench.slot?.state == .impressed)
        let live = bench.state.snapshot(at: bench.now)
        try expectSameReplay(live, of: bench.state.configuration, bench.inputs)
    }

    @Test func aKeptZoneCanBeRemovedWhileItsAdPlays() throws {
        var bench = try Bench(keepsZones: false)
        bench.answer()
        bench.answerVideo(Self.fileType)
        #expect(bench.zones == ["zone-1"] && bench.slot?.state == .loaded)
        bench.apply(.beside(.formatActed(slot: "o", .show)))
        bench.apply(.beside(.zoneDiscarded("zone-1")))
        bench.apply(.beside(.zoneDiscarded("nobody's")))
        #expect(bench.zones.isEmpty && bench.slot?.state == .impressed)
        let calls = bench.fetched.count
        // It plays to its end; the next load requests again.
        for _ in 0..<4 {
            bench.now = bench.now.advanced(by: .seconds(1))
            bench.apply(.woke)
        }
        bench.apply(.beside(.formatActed(slot: "o", .dismiss)))
        bench.apply(.beside(.formatActed(slot: "o", .load)))
        #expect(bench.fetched.count == calls + 1 && bench.effects.allSatisfy { $0 != .beside(.removeZone("zone-1")) })
        let live = bench.state.snapshot(at: bench.now)
        try expectSameReplay(live, of: bench.state.configuration, bench.inputs)
    }

    @Test func aRecordingNeedsNoZones() throws {
        var (bench, order) = try ordered()
        let zone = kept(order, at: bench.now.wall)
        bench.apply(
            .beside(.zoneLoaded(order.number, ZoneDelivery(.loaded(zone, problem: "x"), rows: [ZoneRow(zone.record)]))))
        bench.apply(.beside(.formatActed(slot: "o", .show)))
        bench.apply(
            .beside(.zoneLookedUp("zone-1", ZoneLookup(kept: zone, history: nil, rows: [ZoneRow(zone.record)]))))
        bench.apply(.beside(.zoneLoaded(7, ZoneDelivery(.failed(code: 401, "gone"), rows: []))))
        let live = bench.state.snapshot(at: bench.now)
        try expectSameReplay(live, of: bench.state.configuration, bench.inputs)
    }
}

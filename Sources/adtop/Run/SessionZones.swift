import CreativeCache
import CreativeServer
import Monitoring
import Ports
import Session

/// The rewarded zones of this computer for sessions, shared with `adtop zone` and `adtop format`.
struct SessionZones: ZoneKeeper {
    let store: ZoneStore
    let transport: any HTTPTransport
    let time: any TimeSource

    // Runs outside the session's executor: a slow disk must not slow tracking.
    @concurrent func look(up unit: String) async -> ZoneLookup {
        let now = time.now().wall
        let (saved, verdict) = store.look(up: unit, at: now)
        let rows = store.list()
        var kept: KeptZone?
        if verdict == .hit, let saved {
            store.use(unit)
            kept = KeptZone(saved.record, beginning: store.beginning(of: unit, bytes: KeptZone.beginningBytes))
        }
        return ZoneLookup(kept: kept, history: rows.first?.record.measurement, rows: rows.map { ZoneRow($0.record) })
    }

    @concurrent func load(_ order: ZoneOrder) async -> ZoneDelivery {
        var download = ZoneDownload(
            zone: order.unit, sourceURL: order.sourceURL, response: order.response, rendition: order.rendition,
            quality: order.quality, time: time)
        (download.userAgent, download.addressRule) = (order.userAgent, order.addressRule)
        do throws(ZoneFailure) {
            let (record, media) = try await download.run(transport)
            return ZoneDelivery(.loaded(KeptZone(record, beginning: media), problem: save(record, media)), rows: rows)
        } catch {
            return ZoneDelivery(.failed(code: error.vastCode, error.clause), rows: rows)
        }
    }

    @concurrent func remove(_ unit: String) async -> ZoneRemoval {
        store.remove(unit)
        let rows = rows
        return ZoneRemoval(problem: rows.contains { $0.zone == unit } ? "its files remain on disk" : nil, rows: rows)
    }

    private var rows: [ZoneRow] { store.list().map { ZoneRow($0.record) } }

    /// Saves the zone; returns one clause when that fails.
    private func save(_ record: ZoneRecord, _ media: [UInt8]) -> String? {
        do throws(FileProblem) {
            _ = try store.save(record, media: media)
            return nil
        } catch {
            return "\(error)"
        }
    }
}

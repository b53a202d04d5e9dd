import AdFormats
import AdTracking
import CreativeCache
import Ports

/// Rewarded zones of a session: kept by the keeper if there is one, else while the session lives (CACHE-15).
extension Beside {
    mutating func lookUpZone(_ unit: String, for index: Int, _ desk: inout Desk, at now: Moment) {
        guard formats.keepsZones else {
            return apply(.zoneLookedUp(rememberedZone(unit, at: now)), to: index, &desk, at: now)
        }
        desk.request(.lookUpZone(unit))
    }

    /// Answers every slot that waits for the zone.
    mutating func zoneLookedUp(_ unit: String, _ lookup: ZoneLookup, _ desk: inout Desk, at now: Moment) {
        formats.keptRows = lookup.rows
        if let history = lookup.history { formats.lastDownload = history }
        let zone = lookup.kept.map { StoredZone($0, at: now.wall) }
        for index in formats.slots.indices where formats.slots[index].isLookingUp(unit) {
            if zone != nil { formats.zoneHits[unit, default: 0] += 1 }
            apply(.zoneLookedUp(zone), to: index, &desk, at: now)
        }
    }

    mutating func orderZone(
        _ order: MediaOrder, _ rendition: Rendition, _ quality: Quality, for index: Int, _ desk: inout Desk,
        at now: Moment
    ) {
        formats.orders += 1
        formats.ordered[formats.orders] = FormatsPart.Download(
            slot: index, order: order, rendition: rendition, quality: quality)
        var zone = ZoneOrder(
            number: formats.orders, unit: order.unit, sourceURL: order.sourceURL, response: order.response,
            rendition: rendition, quality: quality)
        (zone.userAgent, zone.addressRule) = (desk.configuration.userAgent, desk.beaconGate.addressRule)
        desk.request(.loadZone(zone))
    }

    mutating func zoneLoaded(_ number: Int, _ delivery: ZoneDelivery, _ desk: inout Desk, at now: Moment) {
        formats.keptRows = delivery.rows
        guard let download = formats.ordered.removeValue(forKey: number) else { return }
        switch delivery.outcome {
        case .failed(let code, let why): apply(.mediaFailed(code: code, why), to: download.slot, &desk, at: now)
        case .loaded(let kept, let problem):
            if let problem {
                desk.note(.warning, "zone \(download.order.unit) not kept: \(problem)", from: .formats, at: now)
            }
            var media = download.media(after: formats.lastDownload)
            (media.type, media.bytes) = (kept.record.mediaType, kept.record.mediaBytes)
            media.examine(kept.beginning)
            formats.lastDownload = kept.record.measurement
            apply(.mediaPrepared(media), to: download.slot, &desk, at: now)
        }
    }

    /// An ad space keeps what it has already loaded of the zone; the next load finds nothing.
    mutating func zoneDiscarded(_ unit: String, _ desk: inout Desk, at now: Moment) {
        if formats.keepsZones {
            desk.request(.removeZone(unit))
        } else {
            formats.zones[unit] = nil
            zoneIsGone(unit, &desk, at: now)
        }
    }

    mutating func zoneRemoved(_ unit: String, _ removal: ZoneRemoval, _ desk: inout Desk, at now: Moment) {
        formats.keptRows = removal.rows
        if let problem = removal.problem {
            desk.note(.error, "zone \(unit) cannot be deleted: \(problem)", from: .formats, at: now)
        } else {
            zoneIsGone(unit, &desk, at: now)
        }
    }

    private mutating func zoneIsGone(_ unit: String, _ desk: inout Desk, at now: Moment) {
        formats.zoneHits[unit] = nil
        desk.note(.info, "zone \(unit): answer and video deleted", from: .formats, at: now)
    }

    private mutating func rememberedZone(_ unit: String, at now: Moment) -> StoredZone? {
        guard let kept = formats.zones[unit] else { return nil }
        let age = now.uptime - kept.at
        let presence = ZonePresence(zone: unit, age: age, hasResponse: true, hasMedia: true)
        guard presence.verdict(for: unit) == .hit else { return nil }
        formats.zoneHits[unit, default: 0] += 1
        var zone = kept.zone
        zone.media.age = age
        return zone
    }

    /// The kept zones, newest first; expired ones are omitted.
    func zoneRows(at now: Moment) -> [ZoneRow] {
        let rows = formats.keepsZones ? formats.keptRows : formats.zones.values.map(\.row)
        return rows.filter { $0.expiresAt > now.wall }
            .sorted { ($0.storedAt, $1.zone) > ($1.storedAt, $0.zone) }
            .map { row in
                var row = row
                row.hits = formats.zoneHits[row.zone] ?? 0
                return row
            }
    }
}

extension FormatsPart.Download {
    /// The video as it was chosen.
    func media(after history: DownloadMeasurement?) -> PreparedMedia {
        PreparedMedia(
            url: rendition.url, quality: quality.rawValue, width: rendition.width, height: rendition.height,
            bitrate: rendition.bitrate, reason: QualitySelector.reason(after: history))
    }
}

import AdFormats
import AdTracking
import CreativeCache
import Ports

/// Rewarded zones of a session: kept by the keeper if there is one, else while the session lives (CACHE-15).
extension MonitorState {
    mutating func lookUpZone(_ unit: String, for index: Int, at now: Moment) {
        guard formats.keepsZones else { return apply(.zoneLookedUp(rememberedZone(unit, at: now)), to: index, at: now) }
        effects.append(.lookUpZone(unit))
    }

    /// Answers every slot that waits for the zone.
    mutating func zoneLookedUp(_ unit: String, _ lookup: ZoneLookup, at now: Moment) {
        formats.keptRows = lookup.rows
        if let history = lookup.history { formats.lastDownload = history }
        let zone = lookup.kept.map { StoredZone($0, at: now.wall) }
        for index in formats.slots.indices where formats.slots[index].isLookingUp(unit) {
            if zone != nil { formats.zoneHits[unit, default: 0] += 1 }
            apply(.zoneLookedUp(zone), to: index, at: now)
        }
    }

    mutating func orderZone(
        _ order: MediaOrder, _ rendition: Rendition, _ quality: Quality, for index: Int, at now: Moment
    ) {
        formats.orders += 1
        formats.ordered[formats.orders] = FormatsPart.Download(
            slot: index, order: order, rendition: rendition, quality: quality)
        var zone = ZoneOrder(
            number: formats.orders, unit: order.unit, sourceURL: order.sourceURL, response: order.response,
            rendition: rendition, quality: quality)
        (zone.userAgent, zone.addressRule) = (configuration.userAgent, beaconGate.addressRule)
        effects.append(.loadZone(zone))
    }

    mutating func zoneLoaded(_ number: Int, _ delivery: ZoneDelivery, at now: Moment) {
        formats.keptRows = delivery.rows
        guard let download = formats.ordered.removeValue(forKey: number) else { return }
        switch delivery.outcome {
        case .failed(let code, let why): apply(.mediaFailed(code: code, why), to: download.slot, at: now)
        case .loaded(let kept, let problem):
            if let problem { note(.warning, "zone \(download.order.unit) not kept: \(problem)", at: now) }
            var media = download.media(after: formats.lastDownload)
            (media.type, media.bytes) = (kept.record.mediaType, kept.record.mediaBytes)
            media.examine(kept.beginning)
            formats.lastDownload = kept.record.measurement
            apply(.mediaPrepared(media), to: download.slot, at: now)
        }
    }

    /// An ad space keeps what it has already loaded of the zone; the next load finds nothing.
    mutating func zoneDiscarded(_ unit: String, at now: Moment) {
        if formats.keepsZones {
            effects.append(.removeZone(unit))
        } else {
            formats.zones[unit] = nil
            zoneIsGone(unit, at: now)
        }
    }

    mutating func zoneRemoved(_ unit: String, _ removal: ZoneRemoval, at now: Moment) {
        formats.keptRows = removal.rows
        if let problem = removal.problem {
            note(.error, "zone \(unit) cannot be deleted: \(problem)", at: now)
        } else {
            zoneIsGone(unit, at: now)
        }
    }

    private mutating func zoneIsGone(_ unit: String, at now: Moment) {
        formats.zoneHits[unit] = nil
        note(.info, "zone \(unit): answer and video deleted", at: now)
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

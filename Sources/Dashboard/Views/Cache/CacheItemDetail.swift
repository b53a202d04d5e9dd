import CreativeCache
import Ports
import Screen
import Session

/// Everything about the selected creative of the cache, and the server's counters.
enum CacheItemDetail {
    static func title(_ row: CacheRow?) -> SafeText {
        if case .zone? = row { "[2] Kept zone" } else { "[2] Cached creative" }
    }

    /// Adds the lines.
    static func add(_ model: CacheModel, _ context: ViewContext, to fields: inout FieldLines) {
        switch model.selectedLine {
        case .creative(let record):
            add(record, at: model.address, context, to: &fields)
            fields.blank()
        case .zone(let zone, let part):
            add(zone, part, to: &fields)
            fields.blank()
        case nil: break
        }
        guard let report = context.snapshot.cache else {
            return CacheText.isOff.forEach { fields.add($0) }
        }
        fields.heading("server")
        fields.field("served", TimeText.bytes(report.bytesServed))
        fields.field("evicted", "\(report.evicted)")
        fields.field("expired", "\(report.expired)")
        for problem in report.problems { fields.field("problem", context.prose(problem), .stateFailed) }
        guard !report.log.isEmpty else { return }
        fields.blank()
        fields.heading("newest requests")
        for record in report.log { fields.add(CacheText.access(record, context)) }
    }

    private static func add(_ zone: ZoneRow, _ part: ZonePart, to fields: inout FieldLines) {
        fields.field("zone", zone.zone)
        fields.field("kind", part.rawValue)
        fields.field("bytes", zone.bytes(part).grouped)
        fields.field("stored", TimeText.date(zone.storedAt))
        fields.field("expires", TimeText.date(zone.expiresAt))
        fields.field("download", zone.took)
        if let speed = zone.measurement.kilobitsPerSecond {
            fields.field("speed", "\(Int(exactly: speed.rounded()).map(\.grouped) ?? "?") kbit/s")
        }
        fields.field("uses", "\(zone.hits.grouped) by this session")
    }

    private static func add(
        _ record: CreativeRecord, at address: String?, _ context: ViewContext, to fields: inout FieldLines
    ) {
        fields.field("id", record.id.text)
        fields.field("kind", "\(record.kind.rawValue), \(record.contentType)")
        fields.field("bytes", record.byteCount.grouped)
        fields.field("stored", TimeText.date(record.storedAt))
        fields.field("expires", TimeText.date(record.expiresAt))
        fields.field("hits", record.hits.grouped)
        if let bidder = record.origin.bidder { fields.field("bidder", bidder) }
        if let auction = record.origin.auction { fields.field("auction", auction) }
        if let address { fields.address("local", StyledLine.url(context.url(address))) }
        if let url = record.fallbackURL { fields.address("remote", StyledLine.url(context.url(url))) }
    }
}

import CreativeCache
import Monitoring
import Ports
import Screen

/// Everything about the selected creative of the cache, and how the server did.
enum CacheItemDetail {
    /// Adds the lines.
    static func add(_ context: ViewContext, to fields: inout FieldLines) {
        guard let report = context.snapshot.cache else {
            return CacheText.isOff.forEach { fields.add($0) }
        }
        if let record = context.cache.selected {
            add(record, context, to: &fields)
            fields.blank()
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

    private static func add(_ record: CreativeRecord, _ context: ViewContext, to fields: inout FieldLines) {
        fields.field("id", record.id.text)
        fields.field("kind", "\(record.kind.rawValue), \(record.contentType)")
        fields.field("bytes", "\(record.byteCount)")
        fields.field("stored", TimeText.date(record.storedAt))
        fields.field("expires", TimeText.date(record.expiresAt))
        fields.field("hits", "\(record.hits)")
        if let bidder = record.origin.bidder { fields.field("bidder", bidder) }
        if let auction = record.origin.auction { fields.field("auction", auction) }
        if let address = context.cache.address { fields.address("here", StyledLine.url(context.url(address))) }
        if let url = record.fallbackURL { fields.address("remote", StyledLine.url(context.url(url))) }
    }
}

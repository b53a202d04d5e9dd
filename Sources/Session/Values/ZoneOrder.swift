package import AdFormats
package import CreativeCache
package import Ports

/// A kept zone: answer and video (CACHE-15).
package struct KeptZone: Sendable, Hashable {
    package var record: ZoneRecord
    /// The beginning of its video, which a player reads first.
    package var beginning: [UInt8]

    /// Number of bytes of a video that a player reads.
    package static let beginningBytes = 64 << 10

    package init(_ record: ZoneRecord, beginning: [UInt8]) {
        self.record = record
        self.beginning = Array(beginning.prefix(Self.beginningBytes))
    }
}

/// The result of looking up one zone.
package struct ZoneLookup: Sendable, Hashable {
    /// Nil when nothing valid is kept.
    package var kept: KeptZone?
    /// The newest download on this computer.
    package var history: DownloadMeasurement?
    /// All kept zones, newest first.
    package var rows: [ZoneRow]

    package init(kept: KeptZone?, history: DownloadMeasurement?, rows: [ZoneRow]) {
        self.kept = kept
        self.history = history
        self.rows = Array(rows.prefix(ZoneRow.maximumRows))
    }
}

/// A video to download and keep with the answer that names it.
package struct ZoneOrder: Sendable, Hashable {
    /// Number of the order; the result contains it.
    package var number: Int
    package var unit: String
    /// Source URL of the answer.
    package var sourceURL: String
    package var response: [UInt8]
    package var rendition: Rendition
    package var quality: Quality
    package var userAgent = ""
    package var addressRule = AddressRule.anywhere

    package init(
        number: Int, unit: String, sourceURL: String, response: [UInt8], rendition: Rendition, quality: Quality
    ) {
        (self.number, self.unit, self.quality) = (number, unit, quality)
        (self.sourceURL, self.response, self.rendition) = (sourceURL, response, rendition)
    }
}

/// The result of a ``ZoneOrder``.
package struct ZoneDelivery: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
        /// The zone; with a problem if it could not be kept, in which case it is shown all the same.
        case loaded(KeptZone, problem: String?)
        /// The VAST error code to report, and a clause.
        case failed(code: Int, String)
    }

    package var outcome: Outcome
    /// All kept zones, newest first.
    package var rows: [ZoneRow]

    package init(_ outcome: Outcome, rows: [ZoneRow]) {
        self.outcome = outcome
        self.rows = Array(rows.prefix(ZoneRow.maximumRows))
    }
}

/// The result of `Effect.removeZone`.
package struct ZoneRemoval: Sendable, Hashable {
    /// Reason as a clause if the zone still exists.
    package var problem: String?
    /// All kept zones, newest first.
    package var rows: [ZoneRow]

    package init(problem: String? = nil, rows: [ZoneRow]) {
        self.problem = problem
        self.rows = Array(rows.prefix(ZoneRow.maximumRows))
    }
}

extension StoredZone {
    /// A kept zone in the form an ad space uses.
    package init(_ kept: KeptZone, at now: UnixTime) {
        let record = kept.record
        var media = PreparedMedia(
            url: record.mediaURL, quality: record.measurement.quality.rawValue, age: now - record.storedAt,
            reason: "kept from an earlier download")
        (media.type, media.bytes) = (record.mediaType, record.mediaBytes)
        media.examine(kept.beginning)
        self.init(response: record.response, sourceURL: record.sourceURL, media: media)
    }
}

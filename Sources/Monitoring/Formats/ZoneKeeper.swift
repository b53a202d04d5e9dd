package import AdFormats
package import CreativeCache
package import Ports

/// A zone that is kept: answer and video (CACHE-15).
package struct KeptZone: Sendable, Hashable {
    package var record: ZoneRecord
    /// The beginning of its video: what a player looks at first.
    package var beginning: [UInt8]

    /// Bytes of a video that a player looks at.
    package static let beginningBytes = 64 << 10

    package init(_ record: ZoneRecord, beginning: [UInt8]) {
        self.record = record
        self.beginning = Array(beginning.prefix(Self.beginningBytes))
    }
}

/// What is kept for one zone, and beside it.
package struct ZoneLookup: Sendable, Hashable {
    /// Nil where there is nothing that may be used.
    package var kept: KeptZone?
    /// The newest download of this computer.
    package var history: DownloadMeasurement?
    /// Everything that is kept, the newest first.
    package var rows: [ZoneRow]

    package init(kept: KeptZone?, history: DownloadMeasurement?, rows: [ZoneRow]) {
        self.kept = kept
        self.history = history
        self.rows = Array(rows.prefix(ZoneRow.maximumRows))
    }
}

/// A video that is to be downloaded and kept with the answer that names it.
package struct ZoneOrder: Sendable, Hashable {
    /// Names the order, so that what becomes of it finds back.
    package var number: Int
    package var unit: String
    /// Of the answer.
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

/// What became of a ``ZoneOrder``.
package struct ZoneDelivery: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
        /// With a clause where it could not be kept: it is shown none the less.
        case loaded(KeptZone, problem: String?)
        /// With the VAST error code to report, and a clause.
        case failed(code: Int, String)
    }

    package var outcome: Outcome
    /// Everything that is kept now, the newest first.
    package var rows: [ZoneRow]

    package init(_ outcome: Outcome, rows: [ZoneRow]) {
        self.outcome = outcome
        self.rows = Array(rows.prefix(ZoneRow.maximumRows))
    }
}

/// What became of `Effect.removeZone`.
package struct ZoneRemoval: Sendable, Hashable {
    /// A clause where it is still there.
    package var problem: String?
    /// Everything that is kept now, the newest first.
    package var rows: [ZoneRow]

    package init(problem: String? = nil, rows: [ZoneRow]) {
        self.problem = problem
        self.rows = Array(rows.prefix(ZoneRow.maximumRows))
    }
}

/// Keeps rewarded zones across sessions. Contract (SessionZonesTests): what was loaded is found until its hour is over or it was
/// removed; nothing that cannot be used is found.
package protocol ZoneKeeper: Sendable {
    func look(up unit: String) async -> ZoneLookup
    func load(_ order: ZoneOrder) async -> ZoneDelivery
    /// Whoever plays the zone goes on.
    func remove(_ unit: String) async -> ZoneRemoval
}

extension StoredZone {
    /// A kept zone as an ad space takes it.
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

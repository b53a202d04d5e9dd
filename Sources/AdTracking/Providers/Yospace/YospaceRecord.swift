package import Ports

/// One record of the service in the media: which ad is on air there (PRV-32).
package struct YospaceRecord: Hashable, Sendable {
    /// The part of an ad in which a record is. Raw values are those of `YTYP`.
    package enum Part: String, Hashable, Sendable {
        case start = "S"
        case middle = "M"
        case end = "E"
    }

    package let time: MediaMoment
    package let media: String
    package let part: Part
    /// The number of the record among ``count``, from 1.
    package let number: Int
    package let count: Int
    /// Seconds from the start of the ad to the record.
    package let offset: ExactDecimal

    /// Nil where one of the four fields is missing or unreadable.
    package init?(_ fields: [String: String], at time: MediaMoment) {
        let sequence = fields["YSEQ"].map { $0.split(separator: ":", omittingEmptySubsequences: false) } ?? []
        guard let media = fields["YMID"], !media.isEmpty, media.utf8.count <= Self.longestID,
            let part = fields["YTYP"].flatMap(Part.init), sequence.count == 2, let number = Int(sequence[0]),
            let count = Int(sequence[1]), number >= 0, count >= 0,
            let offset = fields["YDUR"].flatMap(ListedTime.seconds(text:))
        else { return nil }
        (self.time, self.media, self.part) = (time, media, part)
        (self.number, self.count, self.offset) = (number, count, offset)
    }

    private static let longestID = 1_024

    /// Whether it is the first one of its ad.
    var isFirst: Bool { part == .start && number == 1 }
    /// Whether it is the last one of its ad.
    var isLast: Bool { part == .end && number == count }
    /// Where its ad begins.
    var adStart: MediaMoment { time.minus(offset) }
}

import HLS
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

// MARK: How the media carries it

extension YospaceRecord {
    private static let names: Set<String> = ["YMID", "YTYP", "YSEQ", "YDUR"]
    /// The scheme of event messages with pairs `KEY=value`.
    private static let scheme = "urn:yospace:a:id3:2016"
    private static let longestMessage = 4 << 10

    /// Nil where timed metadata has no whole record.
    package init?(_ mark: MediaMark) {
        var fields: [String: String] = [:]
        switch mark.metadata.content {
        case .id3(let tag):
            for frame in tag.frames {
                let name = frame.id == "TXXX" ? frame.description : frame.id
                guard Self.names.contains(name), fields[name] == nil else { continue }
                fields[name] = frame.text.isEmpty ? Self.text(frame.content) : frame.text
            }
        case .message(Self.scheme, _, let data):
            let text = String(decoding: data.prefix(Self.longestMessage), as: UTF8.self)
            for pair in text.split(whereSeparator: { ",;\0".contains($0) || $0.isWhitespace }) {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, Self.names.contains(String(parts[0])) else { continue }
                fields[String(parts[0])] = String(parts[1])
            }
        case .message: return nil
        }
        self.init(fields, at: mark.at)
    }

    /// The text of a frame of the service's own: with or without the byte that names the encoding, which is one of ASCII.
    private static func text(_ content: [UInt8]) -> String {
        let bytes = content.first.map { $0 <= 3 } == true ? content.dropFirst() : content[...]
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// A record in the media of a Yospace stream: which ad is on air there, as the public clients of the service read it. Frames of an ID3
/// tag have the id of the media, the part of the ad, the number of the record, and the seconds since the start of the ad.
struct AdRecord: Equatable {
    /// Distance between two records of an ad.
    private static let stepMs = 2_000
    /// Distance of the first record from the start of its ad, and of the last one from its end.
    private static let marginMs = 200

    /// Where the record is, epoch ms.
    let atMs: Int
    let media: String
    private let part: String
    private let number: Int
    private let count: Int
    private let offsetMs: Int

    /// What the media calls an ad: the same in the record and in what lists the ad.
    static func media(of adId: String) -> String { adId }

    /// The `AdID` of the creative of an ad.
    static func creative(of adId: String) -> String { "adtop_YO_\(media(of: adId))" }

    /// The records of an ad: one at its start, one at its end, and one every two seconds between.
    static func records(of ad: PlannedAd) -> [AdRecord] {
        let last = max(marginMs + 1, ad.durationMs - marginMs)
        let offsets = [marginMs] + stride(from: stepMs, to: last, by: stepMs) + [last]
        return offsets.enumerated().map { index, offsetMs in
            AdRecord(
                atMs: ad.startMs + offsetMs, media: media(of: ad.id),
                part: index == 0 ? "S" : index == offsets.count - 1 ? "E" : "M", number: index + 1,
                count: offsets.count, offsetMs: offsetMs)
        }
    }

    var frames: [TransportStream.TagFrame] {
        [
            .init(id: "YMID", text: media), .init(id: "YTYP", text: part),
            .init(id: "YSEQ", text: "\(number):\(count)"),
            .init(id: "YDUR", text: SecondsText.text(milliseconds: offsetMs)),
        ]
    }

    /// How the first record of an ad begins in a segment.
    static func start(of adId: String) -> [UInt8] {
        TransportStream.TagFrame(id: "YMID", text: media(of: adId)).bytes
            + TransportStream.TagFrame(id: "YTYP", text: "S").bytes
    }
}

extension PlannedBeacon {
    /// What places the ad of a beacon where answers have no times: the beginning of its first record in a segment, and the name of its
    /// creative in an answer. Nil where answers have times.
    package func placement(in scenario: Scenario) -> (record: [UInt8], creative: String)? {
        guard scenario.session.dialect.recordsAds else { return nil }
        return (AdRecord.start(of: adId), "\"\(AdRecord.creative(of: adId))\"")
    }
}

extension LiveStream {
    /// The records in a segment, with their distances from its start.
    func adRecords(in segment: Segment) -> [(offsetMs: Int, record: AdRecord)] {
        let reach = segment.dateMs..<segment.endDateMs
        return breaks(from: reach.lowerBound, through: reach.upperBound).flatMap(\.ads).flatMap(AdRecord.records)
            .filter { reach.contains($0.atMs) }.sorted { $0.atMs < $1.atMs }
            .map { ($0.atMs - segment.dateMs, $0) }
    }
}

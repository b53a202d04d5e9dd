import Ports
import Testing

@testable import AdTracking

/// Breaks without times, placed by records in the media (PRV-32, PRV-33).
@Suite struct YospaceQueueTests {
    private static func answer(_ breaks: String...) throws -> ListedAnswer {
        let text = "<vmap:VMAP \(VMAPTexts.namespaces) xmlns:yospace=\"urn:y\">\(breaks.joined())</vmap:VMAP>"
        return try YospaceDocument.read(Array(text.utf8), .records).answer
    }

    private static func adBreak(_ name: String, _ ads: String..., more: String = "") -> String {
        VMAPTexts.adBreak(at: "00:00:00", name: name, ads: ads.joined(), more: more)
    }

    private static func ad(_ id: String, _ seconds: Int, media: String) -> String {
        VMAPTexts.ad(id, seconds, media: "1_YO_\(media)")
    }

    private static func record(
        _ time: Int32, _ media: String, _ part: String, _ sequence: String, _ offset: String = "0"
    )
        -> YospaceRecord?
    {
        YospaceRecord(
            ["YMID": media, "YTYP": part, "YSEQ": sequence, "YDUR": offset],
            at: MediaMoment(seconds: ExactDecimal(time)))
    }

    private static func play(_ queue: inout YospaceQueue, _ records: YospaceRecord?...) {
        for record in records.compactMap(\.self) { queue.add(record) }
    }

    /// The placed ads as `break/ad start`, those that are only expected with `?`.
    private static func places(_ queue: YospaceQueue) -> [String] {
        queue.placed.flatMap { adBreak in
            adBreak.ads.map { "\(adBreak.node(of: $0)) \($0.start)\($0.isPlanned ? "?" : "")" }
        }
    }

    private static func findings(_ queue: inout YospaceQueue) -> [String] {
        queue.takeFindings().map { "\($0.rule) \($0.path ?? "")" }
    }

    @Test(arguments: [
        ["YMID": "a", "YTYP": "S", "YSEQ": "1:2"], ["YTYP": "S", "YSEQ": "1:2", "YDUR": "0"],
        ["YMID": "a", "YSEQ": "1:2", "YDUR": "0"], ["YMID": "a", "YTYP": "S", "YDUR": "0"],
        ["YMID": "a", "YTYP": "X", "YSEQ": "1:2", "YDUR": "0"], ["YMID": "a", "YTYP": "S", "YSEQ": "1", "YDUR": "0"],
        ["YMID": "a", "YTYP": "S", "YSEQ": "1:99999999999999999999", "YDUR": "0"],
        ["YMID": "a", "YTYP": "S", "YSEQ": "1:2", "YDUR": "-1"], ["YMID": "", "YTYP": "S", "YSEQ": "1:2", "YDUR": "0"],
    ]) func aRecordWithoutAllFourFieldsDoesNotCount(_ fields: [String: String]) {
        #expect(YospaceRecord(fields, at: MediaMoment(seconds: .zero)) == nil)
    }

    @Test func anAdStartsBeforeItsRecordByTheOffset() throws {
        var queue = YospaceQueue()
        _ = queue.add(try Self.answer(Self.adBreak("b", Self.ad("x", 10, media: "m"), Self.ad("y", 10, media: "n"))))
        #expect(queue.pending.map(\.id) == ["b"] && queue.placed == [])
        Self.play(&queue, Self.record(21, "m", "S", "1:3", "1.5"))
        #expect(Self.places(queue) == ["b/x 19.5", "b/y 29.5?"] && queue.pending == [])
        Self.play(&queue, Self.record(30, "n", "S", "1:3"))
        #expect(Self.places(queue) == ["b/x 19.5", "b/y 30"] && Self.findings(&queue) == [])
    }

    /// The same record comes with each rendition.
    @Test func theSameRecordTwiceCountsOnce() throws {
        var queue = YospaceQueue()
        _ = queue.add(try Self.answer(Self.adBreak("b", Self.ad("x", 10, media: "m"), Self.ad("y", 10, media: "m"))))
        Self.play(&queue, Self.record(20, "m", "S", "1:2"), Self.record(20, "m", "S", "1:2"))
        #expect(Self.places(queue) == ["b/x 20", "b/y 30?"])
        Self.play(&queue, Self.record(29, "m", "E", "2:2"), Self.record(31, "m", "S", "1:2"))
        #expect(Self.places(queue) == ["b/x 20", "b/y 31"])
    }

    @Test func aStartThatIsMissingInsideABreakIsEstimated() throws {
        var queue = YospaceQueue()
        _ = queue.add(try Self.answer(Self.adBreak("b", Self.ad("x", 10, media: "m"), Self.ad("y", 10, media: "n"))))
        Self.play(&queue, Self.record(20, "m", "S", "1:3"), Self.record(33, "n", "M", "2:3"))
        #expect(Self.places(queue) == ["b/x 20", "b/y 33"] && Self.findings(&queue) == ["P03 b/y"])
    }

    @Test func outsideOfAnAdTheMiddleOfOneIsIgnored() throws {
        var queue = YospaceQueue()
        _ = queue.add(try Self.answer(Self.adBreak("b", Self.ad("x", 10, media: "m"))))
        Self.play(&queue, Self.record(20, "m", "M", "2:3"), Self.record(24, "m", "E", "3:3"))
        #expect(queue.placed == [] && Self.findings(&queue) == ["P03 m"])
    }

    @Test func aGapInTheSequenceIsReported() throws {
        var queue = YospaceQueue()
        _ = queue.add(try Self.answer(Self.adBreak("b", Self.ad("x", 10, media: "m"))))
        Self.play(&queue, Self.record(20, "m", "S", "1:5"), Self.record(26, "m", "M", "4:5"))
        #expect(Self.findings(&queue) == ["L67 m"])
        Self.play(&queue, Self.record(28, "m", "E", "5:5"))
        #expect(Self.findings(&queue) == [])
    }

    /// A record that is ahead of the answers asks for one at once, and once.
    @Test func anUnknownStartIsAskedForOnceAndKept() throws {
        var queue = YospaceQueue()
        Self.play(&queue, Self.record(7, "m", "S", "1:2"))
        #expect(queue.isPollDue && queue.unknownStarts.map(\.path) == ["m"])
        _ = queue.add(try Self.answer())
        #expect(!queue.isPollDue && Self.findings(&queue) == ["L66 m"])
        _ = queue.add(try Self.answer(Self.adBreak("b", Self.ad("x", 10, media: "m"))))
        #expect(Self.places(queue) == ["b/x 7"] && queue.unknownStarts == [] && Self.findings(&queue) == [])
    }

    @Test func aBreakThatComesAgainGetsWhatIsNew() throws {
        var queue = YospaceQueue()
        _ = queue.add(try Self.answer(Self.adBreak("b", Self.ad("x", 10, media: "m"))))
        Self.play(&queue, Self.record(20, "m", "S", "1:3"))
        _ = queue.add(try Self.answer(Self.adBreak("b", Self.ad("y", 5, media: "n"))))
        _ = queue.add(try Self.answer(Self.adBreak("b", Self.ad("x", 10, media: "m"), Self.ad("y", 5, media: "n"))))
        #expect(Self.places(queue) == ["b/x 20", "b/y 30?"] && queue.placed.first?.length == ExactDecimal(15))
    }

    // MARK: Ids that come again

    /// An id is used again for a break with other ads: where these are in the media decides (PRV-31).
    @Test(arguments: [(80, "b/y 80"), (81, "b at 81/y 81")] as [(Int32, String)])
    func anIDMayBeThatOfAnotherBreak(_ second: Int32, _ place: String) throws {
        var queue = YospaceQueue()
        _ = queue.add(try Self.answer(Self.adBreak("b", Self.ad("x", 10, media: "m"))))
        Self.play(&queue, Self.record(20, "m", "S", "1:2"), Self.record(29, "m", "E", "2:2"))
        _ = queue.add(try Self.answer(Self.adBreak("b", Self.ad("y", 10, media: "n"))))
        Self.play(&queue, Self.record(second, "n", "S", "1:2"))
        #expect(Self.places(queue) == ["b/x 20", place] && queue.pending == [])
        #expect(Set(queue.placed.map(\.writtenID)) == ["b"] && !queue.isPollDue && Self.findings(&queue) == [])
        // What comes again now is the newer one.
        _ = queue.add(try Self.answer(Self.adBreak("b", Self.ad("y", 12, media: "n"))))
        #expect(queue.placed.last?.ads.last?.length == ExactDecimal(12))
        #expect(Self.places(queue) == ["b/x 20", place])
    }

    /// A break that is longer than a minute keeps what begins in it.
    @Test func aLongBreakKeepsItsAds() throws {
        var queue = YospaceQueue()
        let more =
            #"<vmap:Extensions><vmap:Extension><yospace:AdBreak duration="00:02:00"/></vmap:Extension></vmap:Extensions>"#
        _ = queue.add(try Self.answer(Self.adBreak("b", Self.ad("x", 10, media: "m"), more: more)))
        Self.play(&queue, Self.record(20, "m", "S", "1:2"), Self.record(29, "m", "E", "2:2"))
        _ = queue.add(try Self.answer(Self.adBreak("b", Self.ad("y", 10, media: "n"), more: more)))
        Self.play(&queue, Self.record(140, "n", "S", "1:2"))
        #expect(Self.places(queue) == ["b/x 20", "b/y 140"])
    }

    /// The same break is listed and shown once more. Whether the ad is of a newer break shows the answer to the next request.
    @Test func aBreakMayAirAgain() throws {
        var queue = YospaceQueue()
        let listing = Self.adBreak("b", Self.ad("x", 10, media: "m"))
        for _ in 0..<2 { _ = queue.add(try Self.answer(listing)) }
        Self.play(&queue, Self.record(20, "m", "S", "1:2"), Self.record(29, "m", "E", "2:2"))
        _ = queue.add(try Self.answer(listing))
        queue.asked()
        Self.play(&queue, Self.record(200, "m", "S", "1:2"))
        #expect(queue.isPollDue && Self.places(queue) == ["b/x 20"])
        _ = queue.add(try Self.answer())
        #expect(Self.places(queue) == ["b/x 20"], "the request was sent before the ad began")
        queue.asked()
        _ = queue.add(try Self.answer())
        #expect(Self.places(queue) == ["b/x 20", "b at 200/x 200"] && queue.unknownStarts == [])
    }

    /// An ad that airs again in a newer break is that one's, and in no break that was not listed again.
    @Test func aCreativeThatAirsAgainIsOfItsOwnBreak() throws {
        var queue = YospaceQueue()
        _ = queue.add(try Self.answer(Self.adBreak("b", Self.ad("x", 10, media: "m"))))
        Self.play(&queue, Self.record(20, "m", "S", "1:2"), Self.record(29, "m", "E", "2:2"))
        Self.play(&queue, Self.record(200, "m", "S", "1:2"), Self.record(209, "m", "E", "2:2"))
        _ = queue.add(try Self.answer())
        #expect(Self.places(queue) == ["b/x 20"] && queue.unknownStarts.map(\.path) == ["m"])
        let listing = Self.adBreak("b", Self.ad("x", 10, media: "m"))
        _ = queue.add(try Self.answer(listing, Self.adBreak("d", Self.ad("z", 10, media: "m"))))
        #expect(Self.places(queue) == ["b/x 20", "d/z 200"] && queue.pending == [])
    }

    @Test func aBreakWithoutAdsWasMissedOnce() throws {
        var queue = YospaceQueue()
        let missed = queue.add(try Self.answer(Self.adBreak("gone")))
        #expect(missed.map(\.id) == ["gone"] && Self.findings(&queue) == ["P09 gone"])
        #expect(queue.add(try Self.answer(Self.adBreak("gone"))) == [] && queue.pending == [])
    }

    @Test func theExtensionHasTheLengthOfABreak() throws {
        let more =
            #"<vmap:Extensions><vmap:Extension><yospace:AdBreak duration="00:00:30.500"/></vmap:Extension></vmap:Extensions>"#
        let answer = try Self.answer(Self.adBreak("b", Self.ad("x", 10, media: "m"), more: more))
        #expect(answer.breaks.map(\.length?.text) == ["30.5"])
    }

    /// Ads in front of the first one that was seen were missed.
    @Test func expectedAdsInFrontOfTheFirstSeenOneAreDropped() throws {
        var queue = YospaceQueue()
        _ = queue.add(
            try Self.answer(Self.adBreak("b", Self.ad("x", 10, media: "m"), Self.ad("y", 10, media: "n"))))
        Self.play(&queue, Self.record(30, "n", "S", "1:3"))
        #expect(Self.places(queue) == ["b/y 30"] && queue.placed.first?.start == ExactDecimal(30))
    }

    /// Older answers are VAST without breaks.
    @Test func bareVASTIsABreak() throws {
        let text = "<VAST version=\"2.0\">\(Self.ad("x", 10, media: "m"))</VAST>"
        var queue = YospaceQueue()
        for _ in 0..<2 { _ = queue.add(try YospaceDocument.read(Array(text.utf8), .records).answer) }
        _ = queue.add(try YospaceDocument.read(Array("<VAST version=\"2.0\"/>".utf8), .records).answer)
        Self.play(&queue, Self.record(30, "m", "S", "1:3"))
        #expect(queue.placed.map(\.ads.count) == [1] && queue.pending == [] && Self.findings(&queue) == [])
    }

    @Test func memoryIsBounded() throws {
        var queue = YospaceQueue()
        for index in 0..<3 * YospaceQueue.breakLimit {
            _ = queue.add(try Self.answer(Self.adBreak("b\(index)", Self.ad("x", 10, media: "m\(index)"))))
            Self.play(&queue, Self.record(Int32(index), "other\(index)", "S", "1:2"))
        }
        #expect(queue.pending.count <= YospaceQueue.breakLimit)
        #expect(queue.unknownStarts.count <= YospaceQueue.breakLimit)
    }
    /// Each answer has a new token in each URL.
    @Test func theURLsOfABreakAreBounded() throws {
        var queue = YospaceQueue()
        for number in 0..<2 * DecodedMetadata.urlsPerEvent {
            var answer = try Self.answer(Self.adBreak("b", Self.ad("x", 10, media: "m")))
            let event = ListedEvent("start", statedOffset: .zero, urls: ["https://t.example/\(number)"])
            answer.breaks[0].events = [event]
            answer.breaks[0].ads[0].events = [event]
            _ = queue.add(answer)
        }
        let events = queue.pending.flatMap { $0.events + $0.ads.flatMap(\.events) }
        #expect(events.map(\.urls.count) == [DecodedMetadata.urlsPerEvent, DecodedMetadata.urlsPerEvent])
        #expect(events.map(\.urls.last) == ["https://t.example/199", "https://t.example/199"])
    }
}

import AdTracking
import Ports
import Session
import TestSupport
import Testing

@Suite struct RecordingWriterTests {
    private static let start = Moment(wall: FakeOrigin.start, uptime: .zero)

    private static func fetched(_ number: Int, _ body: String) -> RecordedInput {
        let exchange = HTTPExchange(
            hops: [.init(url: "http://127.0.0.1/a", status: 200, fields: [])], body: Array(body.utf8))
        return RecordedInput(input: .fetched(RequestID(number), exchange), at: start)
    }

    @Test func aBodyIsWrittenOnce() throws {
        var writer = RecordingWriter(redaction: .none)
        #expect(writer.lines(for: Self.fetched(1, "#EXTM3U\n")).count == 2)
        let again = writer.lines(for: Self.fetched(2, "#EXTM3U\n"))
        #expect(again.count == 1)
        #expect(again[0].contains(#""bodyId":1"#))
        #expect(!again[0].contains("EXTM3U"))
        #expect(writer.lines(for: Self.fetched(3, "")).count == 1)
    }

    /// Writer and reader drop bodies in the same order, so memory does not grow and every reference resolves.
    @Test func referencesHoldHoweverManyBodiesThereAre() throws {
        var writer = RecordingWriter(redaction: .none)
        var reader = RecordingReader()
        try reader.take(Array(RecordingFormat.header(.init(mediaURL: try WebURL("http://127.0.0.1/a"))).utf8))
        var random = SplitMix64(seed: 3)
        let inputs = (0..<2_000).map { Self.fetched($0, "body \(random.next() % 130)") }
        for input in inputs {
            for line in writer.lines(for: input) { try reader.take(Array(line.utf8)) }
        }
        #expect(reader.recording?.inputs == inputs)
    }

    @Test func aReferenceIntoTheVoidIsAProblem() throws {
        var reader = RecordingReader()
        try reader.take(Array(RecordingFormat.header(.init(mediaURL: try WebURL("http://127.0.0.1/a"))).utf8))
        let error = #expect(throws: RecordingFormat.Problem.self) {
            try reader.take(Array(#"{"wallUs":0,"uptimeUs":0,"bodyId":9,"input":{"kind":"woke"}}"#.utf8))
        }
        #expect(error?.message == "refers to body 9, which does not precede it")
        #expect(throws: RecordingFormat.Problem.self) { try reader.take(Array(#"{"wallUs":0,"uptimeUs":0}"#.utf8)) }
    }

    /// Written by version 0.1.0: its inputs' lines contain the bodies.
    @Test func recordingsInFormatOneAreRead() throws {
        let header = RecordingFormat.header(.init(mediaURL: try WebURL("http://127.0.0.1/a")))
            .replacing(#""format":"adtop-recording/2","redaction":"none","#, with: #""format":"adtop-recording/1","#)
        #expect(header.hasPrefix(#"{"format":"adtop-recording/1","configuration":"#))
        var reader = RecordingReader()
        try reader.take(Array(header.utf8))
        let line =
            #"{"wallUs":5,"uptimeUs":7,"input":{"kind":"fetched","id":1,"exchange":{"hops":[{"url":"http://h/a","#
            + ##""status":200,"fields":[["Content-Type","x/y"]]}],"body":"#EXTM3U","isBodyCut":false,"bodyBytes":7,"##
            + #""timings":{"resolveUs":null,"connectUs":null,"waitUs":3,"receiveUs":null,"totalUs":9}}}}"#
        try reader.take(Array(line.utf8))
        let read = try #require(reader.recording?.inputs.first)
        #expect(read.at == Moment(wall: UnixTime(microseconds: 5), uptime: .microseconds(7)))
        guard case .fetched(RequestID(1), let exchange) = read.input else { return #expect(Bool(false)) }
        #expect(exchange.body == Array("#EXTM3U".utf8))
        #expect(exchange.fields["content-type"] == "x/y")
    }
}

@Suite struct RecordingTimeTests {
    private static func recording() throws -> Recording {
        let start = Moment(wall: FakeOrigin.start, uptime: .seconds(10))
        // The wall clock is set forward by a minute between the second and the third input.
        let moments = [
            start, start.advanced(by: .seconds(4)),
            Moment(wall: FakeOrigin.start + .seconds(66), uptime: .seconds(16)),
        ]
        return Recording(
            configuration: .init(mediaURL: try WebURL("http://127.0.0.1/a")),
            inputs: moments.map { RecordedInput(input: .woke, at: $0) })
    }

    @Test func betweenInputsBothClocksRanOn() throws {
        let recording = try Self.recording()
        #expect(recording.moment(atUptime: .seconds(12)).wall == FakeOrigin.start + .seconds(2))
        #expect(recording.moment(atUptime: .seconds(15)).wall == FakeOrigin.start + .seconds(5))
        #expect(recording.moment(atUptime: .seconds(16)).wall == FakeOrigin.start + .seconds(66))
        #expect(recording.moment(atUptime: .seconds(9)).wall == FakeOrigin.start - .seconds(1))
    }

    @Test func aDateIsWhereTheWallClockShowedIt() throws {
        let recording = try Self.recording()
        #expect(recording.uptime(atWall: FakeOrigin.start + .seconds(3)) == .seconds(13))
        #expect(recording.uptime(atWall: FakeOrigin.start + .seconds(30)) == .seconds(14))
        #expect(recording.uptime(atWall: FakeOrigin.start + .seconds(300)) == .seconds(16))
        #expect(recording.uptime(atWall: FakeOrigin.start - .seconds(300)) == .seconds(10))
    }
}

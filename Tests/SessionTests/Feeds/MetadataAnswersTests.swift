import AdTracking
import Ports
import Testing

@testable import Session

/// What answers mean for the metadata alone, with nothing but a desk.
@Suite struct MetadataAnswersTests {
    private static let now = Moment(wall: UnixTime(milliseconds: 1_800_000_000_000), uptime: .seconds(10))
    private static let document = #"{"dataRange":{"start":0,"end":90000},"adBreaks":[]}"#

    private static func parts() throws -> (metadata: MetadataPart, desk: Desk) {
        var configuration = MonitorConfiguration(mediaURL: try WebURL("http://127.0.0.1/live.m3u8"))
        configuration.provider = .harmonic
        configuration.writesHistory = true
        return (MetadataPart(configuration, seed: 1), Desk(configuration, seed: 1))
    }

    private static func exchange(_ status: Int, _ text: String = "", type: String = "application/json") -> HTTPExchange
    {
        HTTPExchange(
            hops: [
                .init(url: "http://127.0.0.1/metadata", status: status, fields: [HTTPField("Content-Type", type)])
            ], body: Array(text.utf8), timings: .init(total: 20_000))
    }

    private struct CourseProblem: Error {}

    @Test func aDocumentIsReadAndCounted() throws {
        var (metadata, desk) = try Self.parts()
        let exchange = Self.exchange(200, Self.document)
        guard case .document(let document) = metadata.answered(exchange, on: StreamFacts(), &desk, at: Self.now) else {
            throw CourseProblem()
        }
        #expect(document.breaks.isEmpty && desk.counters.metadataPolls == 1 && metadata.documents == 0)
        metadata.took(exchange, &desk, at: Self.now)
        #expect(metadata.documents == 1 && metadata.record.health.state == .good)
        // A cache answers that it is still the newest one.
        guard case .unchanged = metadata.answered(Self.exchange(304), on: StreamFacts(), &desk, at: Self.now) else {
            throw CourseProblem()
        }
        #expect(metadata.documents == 2)
    }

    /// As docs/events.md and docs/journal.md have it: each answer.
    @Test func anAnswerThatBringsNothingIsKept() throws {
        var (metadata, desk) = try Self.parts()
        metadata.took(Self.exchange(200, Self.document), &desk, at: Self.now)
        _ = metadata.answered(Self.exchange(304), on: StreamFacts(), &desk, at: Self.now)
        let polls = desk.history.notes.compactMap { if case .poll(let poll) = $0.content { poll } else { nil } }
        #expect(polls.map(\.status) == [304] && polls.first?.feed == .metadata && polls.first?.problem == nil)
    }

    @Test func anAnswerWithoutADocumentHasAReason() throws {
        let cases: [(HTTPExchange, String, ErrorKind, Bool)] = [
            (Self.exchange(404), "answered 404", .metadata, false),
            (Self.exchange(304), "answered 304", .metadata, false),
            (
                Self.exchange(200, "[]"), "the body (application/json) is a JSON array instead of an object", .metadata,
                true
            ),
            (HTTPExchange(failure: HTTPFailure(.timeout, "no answer")), "no answer", .network, false),
        ]
        for (exchange, problem, kind, isUnreadable) in cases {
            var (metadata, desk) = try Self.parts()
            guard case .failed(let failure) = metadata.answered(exchange, on: StreamFacts(), &desk, at: Self.now) else {
                throw CourseProblem()
            }
            #expect(failure.problem == problem && failure.kind == kind && (failure.cause != nil) == isUnreadable)
            #expect(metadata.documents == 0 && desk.history.notes.count == 1)
        }
    }

    @Test func withoutAProviderNothingIsRead() throws {
        var (metadata, desk) = try Self.parts()
        metadata.provider = nil
        let exchange = Self.exchange(200, Self.document)
        guard case .unread = metadata.answered(exchange, on: StreamFacts(), &desk, at: Self.now) else {
            throw CourseProblem()
        }
    }

    @Test func aPlaylistIsShownToTheProviderOnce() throws {
        var (metadata, _) = try Self.parts()
        let isNew = [1, 1, 2].map { metadata.playlistArrived($0, on: StreamFacts()) }
        #expect(isNew == [true, false, true])
    }
}

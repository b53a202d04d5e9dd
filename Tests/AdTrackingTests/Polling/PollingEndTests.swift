import HLS
import Ports
import Testing

@testable import AdTracking

/// When requests for documents end, and when they go on (PRV-29).
@Suite struct PollingEndTests {
    private static func stream(isComplete: Bool, isPlayed: Bool = false) -> StreamFacts {
        var viewer = Viewer()
        viewer.reload(playlistText(0, count: 60, isComplete: isComplete), at: 1)
        var facts = StreamFacts(timeline: viewer.timeline)
        facts.isPlayed = isPlayed
        return facts
    }

    private static let live = stream(isComplete: false)

    @Test func aRecordingNeedsOneAnswer() {
        var end = PollingEnd()
        end.requested(on: Self.stream(isComplete: true))
        #expect(!end.isReached)
        end.succeeded()
        #expect(end.isReached)
        end.playlistArrived(on: Self.stream(isComplete: true))
        #expect(end.isReached)
    }

    /// The viewer is behind the edge, and more may be listed of what is still to be played.
    @Test func aStreamThatWasLiveEndsWithItsViewer() {
        var end = PollingEnd()
        let streams = [Self.live] + [false, false, true].map { Self.stream(isComplete: true, isPlayed: $0) }
        for (index, stream) in streams.enumerated() {
            end.requested(on: stream)
            end.succeeded()
            #expect(end.isReached == (index == 3))
        }
    }

    /// What the media shows last is looked up, too.
    @Test func itEndsWhenTheMediaWasRead() {
        var end = PollingEnd(isLive: true)
        var stream = Self.stream(isComplete: true, isPlayed: true)
        stream.reading.awaited = .second(354)
        end.requested(on: stream)
        end.succeeded()
        #expect(!end.isReached)
        stream.reading.awaited = nil
        end.requested(on: stream)
        end.succeeded()
        #expect(end.isReached)
        end.reopened()
        #expect(!end.isReached)
    }

    /// The playlist continues while the last request is in flight, or after it.
    @Test(arguments: [false, true]) func itGoesOnWithTheStream(whileInFlight: Bool) {
        var end = PollingEnd()
        end.requested(on: Self.stream(isComplete: true))
        if whileInFlight { end.playlistArrived(on: Self.live) }
        end.succeeded()
        end.playlistArrived(on: Self.live)
        #expect(!end.isReached)
        end.requested(on: Self.stream(isComplete: true))
        end.succeeded()
        #expect(!end.isReached, "it was live")
    }

    /// Before the first playlist nothing is known of the stream.
    @Test func noPlaylistIsNoLiveStream() {
        var end = PollingEnd()
        end.playlistArrived(on: StreamFacts())
        end.requested(on: Self.stream(isComplete: true))
        end.succeeded()
        #expect(end.isReached)
    }

    /// Every service that is polled follows a channel that ended and returned.
    @Test(arguments: ProviderContractTests.rows)
    func everyServiceIsPolledAgain(_ row: ProviderContractTests.Row) throws {
        let samples = try row.samples
        guard samples.distances != nil else { return }
        var provider = ProviderContract(make: { row.type.init($0) }, samples: samples).opened()
        var now = Moment.second(100)
        provider.start(at: now)
        for stream in [Self.live, Self.stream(isComplete: true), Self.stream(isComplete: true, isPlayed: true)] {
            provider.playlistArrived(on: stream)
            let next = try #require(provider.nextRequest)
            now = now.advanced(by: max(.zero, next - now.uptime))
            #expect(provider.request(on: stream, at: now) != nil)
            provider.succeeded(at: now)
        }
        now = now.advanced(by: .seconds(60))
        provider.playlistArrived(on: Self.live)
        #expect(try #require(provider.nextRequest) <= now.uptime)
        #expect(provider.request(on: Self.live, at: now) != nil)
    }
}

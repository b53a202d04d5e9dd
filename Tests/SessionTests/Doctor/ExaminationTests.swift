import Ports
import Session
import TestSupport
import Testing

/// The requests that an examination makes: those of a session, once, and nothing for trackers.
@Suite struct ExaminationTests {
    private static func run(
        _ origin: FakeOrigin, _ change: (inout MonitorConfiguration) -> Void = { _ in }
    ) throws -> (examination: Examination, at: Moment) {
        var configuration = MonitorConfiguration(mediaURL: try WebURL(FakeOrigin.base + "/live/index.m3u8"))
        configuration.seed = 7
        change(&configuration)
        var examination = Examination(configuration)
        let now = Moment(wall: FakeOrigin.start + .milliseconds(85_000), uptime: .seconds(1_000))
        examination.start(at: now)
        var counts: [String: Int] = [:]
        while let order = examination.next() {
            let count = counts[order.request.url.path, default: 0]
            counts[order.request.url.path] = count + 1
            examination.answered(order, origin.reply(to: order.request, at: now, count: count).exchange, at: now)
        }
        return (examination, now)
    }

    @Test func aStreamIsOpenedOnce() throws {
        let (examination, now) = try Self.run(MainPathTests.twoBreaks)
        #expect(examination.isOpen && examination.metadata == .good)
        #expect(examination.problem(at: now) == nil)
        let purposes = examination.answers.map(\.purpose)
        #expect(purposes.count { $0 == .metadata } == 1 && purposes.contains(.mediaPlaylist))
        #expect(examination.answers.allSatisfy { $0.request.audience == .stream })
        let (requests, omitted) = examination.trackerRequests(at: now)
        #expect(!requests.isEmpty && omitted == 0)
        #expect(Set(requests.map(\.url.origin)).count == requests.count)
        #expect(requests.allSatisfy { $0.audience == .tracker && examination.allows($0) })
    }

    /// A provider whose metadata needs the playlist looks for it a moment later.
    @Test func metadataThatWaitsForThePlaylistIsRead() throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, _ in
            let path = request.url.path
            if path.hasSuffix("/linear/v1/hls/event/K/stream") {
                let opening =
                    #"{"stream_id":"S:ATL","stream_manifest":"/s/index.m3u8?sessid=S1","media_verification_url":"/verify/","metadata_url":"/ids","polling_frequency":4}"#
                return FakeOrigin.text(opening, type: "application/json", of: request)
            }
            let ids = #"{"tags":{},"ads":{},"ad_breaks":{}}"#
            return path.hasSuffix("/ids") ? FakeOrigin.text(ids, type: "application/json", of: request) : nil
        }
        let (examination, now) = try Self.run(origin) { configuration in
            guard let url = try? WebURL(FakeOrigin.base + "/linear/v1/hls/event/K/stream") else { return }
            configuration.mediaURL = url
        }
        #expect(examination.isOpen && examination.metadata == .good && examination.problem(at: now) == nil)
        #expect(examination.answers.count { $0.purpose == .metadata } == 1)
    }

    /// Requests are bounded, whatever a server answers.
    @Test(arguments: [200, 302, 401, 403, 404, 500]) func requestsAreBounded(_ status: Int) throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, _ in FakeOrigin.status(status, request) }
        let (examination, now) = try Self.run(origin)
        #expect(!examination.isOpen && examination.answers.count <= Examination.requests)
        #expect(examination.metadata == nil && examination.problem(at: now) != nil)
        #expect(examination.trackerRequests(at: now).requests.isEmpty)
    }

    @Test func onlyNamedHostsAreAllowed() throws {
        let (examination, now) = try Self.run(MainPathTests.twoBreaks) { $0.sending.allowHosts = ["other.example"] }
        let (requests, _) = examination.trackerRequests(at: now)
        #expect(!requests.isEmpty && requests.allSatisfy { !examination.allows($0) })
    }
}

import AdTracking
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

@Suite struct SessionPaneTests {
    private func text(_ snapshot: Snapshot) -> String {
        let sample = DashboardSample(snapshot, 120, 40)
        return TextWriter.text(of: Renderer.pane(.session, snapshot, sample.state, now: sample.now))
    }

    @Test("the session shows how the playlist is requested, where that is known")
    func delivery() {
        var snapshot = SnapshotSamples.midBreak
        #expect(!text(snapshot).contains("delivery"))
        snapshot.playlist.delivery.isLowLatency = true
        snapshot.playlist.delivery.isBlocking = true
        snapshot.playlist.delivery.partTarget = .milliseconds(333)
        snapshot.playlist.delivery.trailingParts = 2
        snapshot.playlist.delivery.deltaUpdates = 5
        #expect(
            text(snapshot).contains(
                "delivery  low latency  blocking reloads  parts 333ms  2 parts at the edge  5 delta updates"))
    }

    @Test("HTTP/2 is named; the usual protocol is not, nor one that is not known")
    func version() {
        var snapshot = SnapshotSamples.midBreak
        for version in [nil, .one] as [HTTPProtocolVersion?] {
            snapshot.session.playlistHealth.version = version
            #expect(!text(snapshot).contains("HTTP/"))
        }
        snapshot.session.playlistHealth.version = .two
        #expect(text(snapshot).contains("playlist  200 HTTP/2   38ms  2.0s ago"))
        #expect(text(snapshot).contains("polls     200   51ms"), "only the feed that has it")
    }

    @Test(":session shows which hosts get what the settings add")
    func additions() throws {
        var snapshot = SnapshotSamples.midBreak
        #expect(!text(snapshot).contains("adds"))
        snapshot.session.additions = [
            RequestAddition(.stream, "X-Device: ***"), RequestAddition(.typed, "Cookie: a=***"),
            RequestAddition(.host(HostPattern(host: "t.example", port: 81)), "X-Lab: ***"),
        ]
        let shown = text(snapshot)
        #expect(shown.contains("adds      X-Device: ***  hosts of the stream, not trackers"))
        #expect(shown.contains("Cookie: a=***  host and port of the URL"))
        #expect(shown.contains("X-Lab: ***  t.example:81, trackers too"))
        var sample = DashboardSample(snapshot, 120, 40)
        try sample.press(":")
        sample.type("session")
        try sample.press("Enter")
        #expect(sample.state.focus == .session && sample.state.side == .session)
    }

    @Test("the session names who reports, where the list of ads continues, and when it is asked for again")
    func service() {
        var snapshot = SnapshotSamples.midBreak
        #expect(!text(snapshot).contains("reports"))
        snapshot.session.provider = "acme"
        snapshot.session.service = ServiceView(interval: .seconds(4))
        #expect(!text(snapshot).contains("next in"), "a request is in flight")
        snapshot.session.service?.next = NextPollView(at: snapshot.at.advanced(by: .seconds(3)), reason: .interval)
        #expect(text(snapshot).contains("provider  acme  the viewer reports"))
        #expect(text(snapshot).contains("next in 3.0s, every 4.0s"))
        #expect(!text(snapshot).contains("token"))
        snapshot.session.service = ServiceView(
            mode: "hybrid", reporter: .both, tokenSince: snapshot.at.advanced(by: .seconds(-7)), interval: .seconds(2))
        #expect(text(snapshot).contains("provider  acme  hybrid  the service reports, the viewer the rest"))
        #expect(text(snapshot).contains("page      continues at a token listed 7.0s ago"))
        snapshot.session.metadataHealth.nextAttemptAt = nil
        snapshot.session.service?.next = NextPollView(at: nil, reason: .complete)
        #expect(text(snapshot).contains("          none to come: the stream is complete"))
    }

    @Test("a stream without a provider has the source of its ads, and one that is not recognised yet has no name")
    func noProvider() {
        var snapshot = SnapshotSamples.plain
        #expect(text(snapshot).contains("provider  none ") && text(snapshot).contains(" no provider "))
        snapshot.session.provider = "svta"
        snapshot.session.service = ServiceView(mode: "client")
        #expect(text(snapshot).contains("provider  svta  client  the viewer reports"))
        #expect(text(snapshot).contains("          date ranges of the playlist list the ads"))
        snapshot.session.provider = "auto"
        snapshot.session.service = ServiceView(interval: .seconds(4))
        #expect(text(snapshot).contains("provider  not known yet  the viewer reports"))
    }

    @Test("what the session asks for about prefetched ads is shown, and that ads do not show it", arguments: [80, 120])
    func prefetch(columns: Int) {
        var snapshot = SnapshotSamples.midBreak
        snapshot.session.service = ServiceView()
        func shown() -> String {
            let sample = DashboardSample(snapshot, columns, columns == 80 ? 24 : 40)
            return TextWriter.text(of: Renderer.pane(.session, snapshot, sample.state, now: sample.now))
        }
        #expect(!shown().contains("prefetch"))
        snapshot.session.service?.prefetch = ProviderStatus.Prefetch(stream: "news 1", mode: nil)
        #expect(shown().contains("prefetch  stream news 1  asked for; ads do not show it"))
        snapshot.session.service?.prefetch = ProviderStatus.Prefetch(stream: "news\u{1B}1", mode: "MANIFEST")
        #expect(shown().contains("1  mode MANIFEST  asked for; ads do not show it") && !shown().contains("\u{1B}"))
    }

    @Test("the time of the next request has its reason, each in words of its own, in one row", arguments: [80, 120])
    func reasonOfTheNextRequest(columns: Int) {
        var snapshot = SnapshotSamples.midBreak
        snapshot.session.service = ServiceView(interval: .seconds(6))
        var shown: Set<String> = []
        for reason in PollReason.allCases {
            let at = reason == .complete ? nil : snapshot.at.advanced(by: .seconds(3))
            snapshot.session.service?.next = NextPollView(at: at, reason: reason)
            let sample = DashboardSample(snapshot, columns, columns == 80 ? 24 : 40)
            let rows = TextWriter.text(of: Renderer.pane(.session, snapshot, sample.state, now: sample.now))
            let words = ServiceLines.words(reason, .seconds(6))
            let row = at == nil ? words : "next in 3.0s, " + words
            #expect(rows.contains("          " + row), "\(reason): \(rows)")
            shown.insert(words)
        }
        #expect(shown.count == PollReason.allCases.count)
    }

    @Test("a feed that fails has the time in its own row, and the reason below it")
    func reasonOfTheNextTry() {
        var snapshot = SnapshotSamples.midBreak
        let at = snapshot.at.advanced(by: .seconds(3))
        snapshot.session.service = ServiceView(interval: .seconds(6))
        snapshot.session.service?.next = NextPollView(at: at, reason: .retryAfter)
        snapshot.session.metadataHealth = FeedHealth(
            state: .failing, consecutiveFailures: 1, nextAttemptAt: at, problem: "answered 503")
        #expect(text(snapshot).contains("answered 503  retry in 3.0s"))
        #expect(text(snapshot).contains("          Retry-After of the server"))
        // The session is over: no row has the time of the next one.
        snapshot.session.metadataHealth.nextAttemptAt = nil
        snapshot.session.service?.next = NextPollView(at: at, reason: .renewal)
        #expect(text(snapshot).contains("next in 3.0s, for a new session"))
    }

    @Test("the variant is named, with its backups and the failed one it replaces")
    func variant() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.playlist.variant = VariantView(
            number: 2, bandwidth: 5_200_000, resolution: "1280x720", codecs: nil, pathway: "CDN-B", redundantCount: 1,
            isFallback: true)
        #expect(text(snapshot).contains("1280x720  path CDN-B  1 backup variant  replaces a failed variant"))
    }

    @Test("the last interstitial is reported with date, start, stop and duration")
    func lastInterstitial() {
        var snapshot = SnapshotSamples.midBreak
        let date = snapshot.at.wall - .seconds(40)
        snapshot.lastInterstitial = LastInterstitialView(
            id: "promo-7", date: date, start: date + .milliseconds(12_000), stop: nil, duration: .seconds(15))
        #expect(text(snapshot).contains("last int. promo-7  date 12:40:38.4  duration 15.0s"))
        #expect(text(snapshot).contains("start 12:40:50.4  playing"))
        snapshot.lastInterstitial?.stop = date + .milliseconds(27_000)
        #expect(text(snapshot).contains("start 12:40:50.4  stop 12:41:05.4"))
    }
}

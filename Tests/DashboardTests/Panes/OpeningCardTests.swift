import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// The card of a stream that is not open.
@Suite struct OpeningCardTests {
    private func lines(_ snapshot: Snapshot, after delay: Duration) -> String {
        let sample = DashboardSample(snapshot, 120, 40)
        let frame = FrameContext(snapshot, sample.state, now: sample.now.advanced(by: delay))
        guard let opening = snapshot.session.opening else { return "" }
        return OpeningCard.lines(opening, frame.context, width: 110).map(\.string).joined(separator: "\n")
    }

    /// No snapshot comes while a server is silent: the seconds follow the clock.
    @Test func secondsOfSilenceCount() {
        var snapshot = SnapshotSamples.unopened
        snapshot.session.opening?.problem = nil
        snapshot.session.opening?.requests[0].answer = nil
        snapshot.session.opening?.requests[0].askedAt = snapshot.at
        #expect(lines(snapshot, after: .seconds(1)).contains("no answer yet, 1s"))
        #expect(lines(snapshot, after: .seconds(7)).contains("no answer yet, 7s"))
    }

    /// A row has only the start of a long reason; the whole one is below the rows.
    @Test func aLongReasonIsWhole() {
        let reason = "certificate of cdn.example is self-signed or of an unknown issuer, and names other.test alone"
        var snapshot = SnapshotSamples.unopened
        snapshot.session.opening?.requests[2].answer = .init(
            failure: HTTPFailure(.tls, reason), took: .milliseconds(31))
        let card = lines(snapshot, after: .zero)
        #expect(card.replacing("\n", with: " ").contains("C\(reason.dropFirst())."), "\(card)")
    }

    private static func sample(_ change: (inout Snapshot) -> Void = { _ in }) -> DashboardSample {
        var snapshot = SnapshotSamples.unopened
        change(&snapshot)
        return DashboardSample(snapshot, 120, 40)
    }

    /// Keys of the card, with those of the user's own config file.
    @Test func theKeysAreThoseOfTheKeyMap() throws {
        var sample = Self.sample()
        func shown() -> String { TextWriter.text(of: sample.frame.grid) }
        #expect(shown().contains("r try now  y copy as curl ") && !shown().contains(":open URL"))
        sample.state.settings.opensStreams = true
        sample.state.settings.keymap = Keymap.standard.remapped(["retry": ["x"], "open-url": ["F9"]]).map
        #expect(shown().contains("x try now  y copy as curl  F9 :open URL"))
        // What cannot be done is not offered: a try is under way.
        sample.snapshot.session.opening?.nextAttemptAt = nil
        #expect(!shown().contains("try now") && shown().contains("y copy as curl"))
    }

    @Test func aTryFollowsAtOnce() throws {
        var sample = Self.sample()
        try sample.press("r")
        #expect(sample.effects == [.openNow])
        var command = Self.sample()
        try command.press(": r e t r y Enter")
        #expect(command.effects == [.openNow])
        // A key that is held down sends no request in between.
        var held = Self.sample { $0.session.opening?.requests[0].askedAt = $0.at }
        try held.press("r r r", every: .milliseconds(400))
        #expect(held.effects == [] && held.state.toasts.last?.text.hasPrefix("open: a try is under way") == true)
        var observing = Self.sample { $0.session.canArm = false }
        try observing.press("r")
        #expect(observing.effects == [.openNow], "it sends no beacon")
    }

    @Test(arguments: ["y", "Y", ": c o p y Space c u r l Enter"]) func theRequestIsCopied(keys: String) throws {
        var sample = Self.sample {
            $0.session.opening?.failed?.fields = [HTTPField("User-Agent", "a'b"), HTTPField("Accept", "*/*")]
        }
        try sample.press(keys)
        let url = Redaction.url(sample.snapshot.session.mediaURL)
        #expect(
            sample.effects == [
                .copy(
                    #"curl --globoff --include --header 'User-Agent: a'\''b' --header 'Accept: */*' --url '\#(url)'"#,
                    .curl)
            ])
    }

    @Test func theCommandHasNoSecret() throws {
        let typed = "https://cdn.example/live.m3u8?token=SECRET1"
        var request = OpeningView.Request(
            method: .post, url: typed,
            fields: [
                HTTPField("User-Agent", "x"), HTTPField("X-Key", "SECRET2"),
                HTTPField("Content-Type", "application/x-www-form-urlencoded"),
            ], body: Array("api-key=SECRET3&a=1".utf8), isPlaylist: false, askedAt: SnapshotSamples.now)
        let additions = [
            RequestAddition(.stream, "User-Agent: ***"), RequestAddition(.typed, "Authorization: Bearer ***"),
            RequestAddition(.host(HostPattern(host: "cdn.example")), "X-Lab: ***"),
            RequestAddition(.host(HostPattern(host: "ads.example")), "X-Other: ***"),
            RequestAddition(.proxy, "Proxy-Authorization: Basic ***"),
        ]
        let text = CopyText.curl(request, typed: typed, adding: additions)
        #expect(
            text == "curl --globoff --include --request POST --header 'X-Key: ***' "
                + "--header 'Content-Type: application/x-www-form-urlencoded' --header 'User-Agent: ***' "
                + "--header 'Authorization: Bearer ***' --header 'X-Lab: ***' --data-raw 'api-key=***&a=1' "
                + "--url 'https://cdn.example/live.m3u8?token=***'")
        request.fields = [HTTPField("Accept", "a\u{1B}[2J\nb")]
        request.body = Array(#"{"k":"SECRET4"}"#.utf8)
        let other = CopyText.curl(request, typed: "https://other.example/", adding: additions)
        #expect(other.contains("'Accept: a?[2J?b'") && other.contains("--data-raw '***'"))
        #expect(!other.contains("Authorization"), "it belongs to the origin that was typed")
    }

    /// `:open` and its key: where the run can watch another stream.
    @Test func anotherStreamIsOpened() throws {
        let url = try WebURL("http://127.0.0.1:1/b.m3u8")
        var sample = Self.sample()
        sample.state.settings.opensStreams = true
        try sample.press("u")
        #expect(sample.state.entry?.line.text == "open ")
        sample.type(url.text)
        try sample.press("Enter")
        #expect(sample.effects == [.openStream(url)] && sample.state.entry == nil)
        try sample.press("u")
        sample.type("b.m3u8")
        try sample.press("Enter")
        #expect(sample.effects.isEmpty)
        #expect(sample.state.entry?.problem == "\"b.m3u8\": use an http:// or https:// URL")
        var other = Self.sample()
        try other.press("u")
        other.type(url.text)
        try other.press("Enter")
        #expect(other.effects.isEmpty && other.state.toasts.last?.text.hasPrefix("open: not possible") == true)
    }

    @Test func secondsToTheNextTryCount() {
        var snapshot = SnapshotSamples.unopened
        snapshot.session.opening?.nextAttemptAt = snapshot.at.advanced(by: .seconds(9))
        #expect(lines(snapshot, after: .seconds(2)).contains("next in 7s"))
        #expect(lines(snapshot, after: .seconds(12)).contains("next in 0s"))
    }
}

import HLS
import Ports
import TestSupport
import Testing

@testable import AdTracking

/// Sessions and answers of Broadpeak (PRV-34 to PRV-36).
@Suite struct BroadpeakTests {
    private static func addresses(_ step: OpeningStep) -> SessionAddresses? {
        if case .opened(let addresses) = step { addresses } else { nil }
    }

    /// The final address of the first request is the session.
    @Test func theRedirectNamesTheSession() throws {
        let samples = ProviderSamples.broadpeak
        var provider = BroadpeakProvider(ProviderOptions(mediaURL: try WebURL(samples.mediaURL)))
        _ = provider.open()
        let redirect = try #require(samples.opening.first)
        let opened = try #require(Self.addresses(provider.openingAnswered(redirect)))
        #expect(opened.manifestURL.text == "\(samples.mediaURL)&bpkio_sessionid=7")
        #expect(opened.metadataURL?.text == "\(samples.mediaURL)&bpkio_sessionid=7&bk-ml=2.0")
        #expect(opened.sessionID == "7" && opened.path == .redirect)
    }

    /// With `response=200` the session is in a field.
    @Test func theFieldLocationNamesTheSession() throws {
        let url = "https://x.broadpeak.io/c.m3u8?response=200"
        var provider = BroadpeakProvider(ProviderOptions(mediaURL: try WebURL(url)))
        _ = provider.open()
        var answer = HTTPExchange.answer(200, "", url: url)
        answer.hops[0].fields = [HTTPField("Location", "/c.m3u8?bpkio_sessionid=8")]
        let opened = try #require(Self.addresses(provider.openingAnswered(answer)))
        #expect(opened.manifestURL.text == "https://x.broadpeak.io/c.m3u8?bpkio_sessionid=8")
    }

    @Test func aRunningSessionIsInTheAddress() throws {
        let url = try WebURL("https://cdn.example/c.m3u8?bpkio_sessionid=9&bk-ml=1.0")
        var provider = BroadpeakProvider(ProviderOptions(mediaURL: url))
        let opened = try #require(Self.addresses(provider.open()))
        #expect(opened.manifestURL.text == "https://cdn.example/c.m3u8?bpkio_sessionid=9")
        #expect(opened.metadataURL?.text == "https://cdn.example/c.m3u8?bpkio_sessionid=9&bk-ml=2.0")
    }

    @Test func withoutASessionTheReasonIsNamed() throws {
        var provider = BroadpeakProvider(ProviderOptions(mediaURL: try WebURL("https://x.broadpeak.io/c.m3u8")))
        _ = provider.open()
        let step = provider.openingAnswered(.answer(200, "#EXTM3U", url: "https://x.broadpeak.io/c.m3u8"))
        guard case .failed(let failure) = step else { return #expect(Bool(false), "\(step)") }
        #expect(failure.explanation == "manifest was not redirected to a session (bpkio_sessionid)")
    }

    @Test(arguments: [("500", "2"), ("3000", "3"), ("60000", "5"), ("\"x\"", "5"), ("-1", "5")])
    func theServiceAsksForADelayWithinLimits(_ written: String, _ seconds: String) throws {
        let text = BroadpeakTexts.document(pods: 1, more: ",\"refresh_delay_ms\":\(written)")
        let document = try BroadpeakDocument.read(Array(text.utf8), isLive: true)
        #expect(document.after.text == seconds)
    }

    /// A live stream counts from 1970, a recorded programme from its start.
    @Test func aProgrammeHasSeconds() throws {
        let text = #"{"timereference_ms":1000,"adpods":[{"id":"p","starttime_ms":"5000","ads":[{"adid":1}]}]}"#
        let document = try BroadpeakDocument.read(Array(text.utf8), isLive: false)
        #expect(document.answer.breaks.map(\.start.text) == ["6"] && document.answer.breaks.map(\.date) == [nil])
        #expect(document.answer.breaks.flatMap(\.ads).map(\.id) == ["1"])
    }

    /// An ad without a start begins where the one before it ends; the times of its events count as those of all others.
    @Test func eventsOfAnAdWithoutAStartHaveTheirTimes() throws {
        let ads =
            #"{"starttime_ms":5000,"duration_ms":10000},{"duration_ms":10000,"trackingevents":[{"type":"midpoint","callbackurl":"https://t/m","time_ms":20500}]}"#
        let text = #"{"timereference_ms":1000,"adpods":[{"starttime_ms":5000,"ads":[\#(ads)]}]}"#
        let document = try BroadpeakDocument.read(Array(text.utf8), isLive: false)
        let ad = try #require(document.answer.breaks.first?.ads.last)
        #expect(ad.start == ExactDecimal(16) && ad.events.map(\.statedOffset?.text) == ["5.5"])
    }

    /// Seconds of a programme would be dates of 1970, where nothing is ever due.
    @Test func aLiveStreamHasNoSeconds() throws {
        let zero = BroadpeakTexts.zeroMs
        let text =
            #"{"adpods":[{"id":"a","starttime_ms":5000,"ads":[]},{"id":"b","starttime_ms":\#(zero),"ads":[{"starttime_ms":0}]}]}"#
        let live = try BroadpeakDocument.read(Array(text.utf8), isLive: true).answer
        #expect(live.breaks.map(\.id) == ["b"] && live.breaks.first?.ads.map(\.date) == [.second(0)])
        #expect(live.findings.map(\.rule) == ["P01"] && live.findings.map(\.path) == ["a"])
        let saved = try BroadpeakProvider.saved(Array(text.utf8)).listed
        #expect(saved.breaks.map(\.date) == [nil, .second(0)])
    }

    /// A pod may have no date yet when its ads have: its start is then no start.
    @Test(arguments: [
        ("0", "begins at 0 s, which cannot be a date of a live stream"), ("null", "has no start"),
        ("\"\"", "has no start"), ("-1", "has the start -1, which is no time"),
        ("\"soon\"", "has the start \"soon\", which is no time"), ("[]", "has a JSON array as its start"),
    ]) func aPodWithoutADateHasThatOfItsFirstAd(_ start: String, _ lack: String) throws {
        let ads = #"{"adid":"x","starttime_ms":0},{"adid":"y","starttime_ms":1800000000000,"duration_ms":9000}"#
        let text = #"{"adpods":[{"id":"p","starttime_ms":\#(start),"ads":[\#(ads)]}]}"#
        let answer = try BroadpeakDocument.read(Array(text.utf8), isLive: true).answer
        #expect(answer.breaks.map(\.start.text) == ["1800000000"])
        let found = answer.findings.filter { $0.path == "p" }
        #expect(found.map(\.rule) == ["P02"] && found[0].message == "the pod \(lack): that of its first ad is used")
    }

    /// The dates of a live stream stay dates when it ends: as seconds they would be 50 years behind its start.
    @Test func aLiveStreamThatEndedKeepsItsDates() throws {
        let samples = ProviderSamples.broadpeak
        var provider = BroadpeakProvider(ProviderOptions(mediaURL: try WebURL(samples.mediaURL)))
        var viewer = Viewer()
        viewer.reload(playlistText(0, count: 60, isComplete: true), at: 1)
        let answer = HTTPExchange.answer(200, BroadpeakTexts.document(pods: 2), url: samples.mediaURL)
        let live = try provider.read(answer, on: samples.stream)
        let ended = try provider.read(answer, on: StreamFacts(timeline: viewer.timeline))
        let ads = [live, ended].map { document in document.breaks.flatMap(\.ads) }
        #expect(ads[0].map(\.start) == ads[1].map(\.start))
        #expect(ads[0].flatMap(\.events).map(\.start) == ads[1].flatMap(\.events).map(\.start))
        #expect(ended.breaks.map(\.start) == [.second(12), .second(72)])
    }

    /// A time reference in milliseconds since 1970 makes dates of what counts from it.
    @Test(arguments: [("999999999999", false), ("1000000000000", true)])
    func aDateIsLaterThanAnyProgramme(reference: String, isDate: Bool) throws {
        let text = #"{"timereference_ms":\#(reference),"adpods":[{"starttime_ms":0,"ads":[{"starttime_ms":0}]}]}"#
        let document = try BroadpeakDocument.read(Array(text.utf8), isLive: false)
        let dates = document.answer.breaks.map(\.date) + document.answer.breaks.flatMap(\.ads).map(\.date)
        #expect(dates == Array(repeating: isDate ? UnixTime(microseconds: 1_000_000_000_000_000) : nil, count: 2))
    }

    @Test(arguments: [#"{"a":1}"#, "[]", #"{"adpods":{}}"#]) func anotherDocumentIsNone(_ text: String) {
        #expect(throws: MetadataProblem.self) { try BroadpeakDocument.read(Array(text.utf8), isLive: true) }
    }

    /// Some servers write null for an empty list.
    @Test func noPodsAreNoFault() throws {
        let text = #"{"adpods":null,"refresh_delay_ms":"3000"}"#
        let document = try BroadpeakDocument.read(Array(text.utf8), isLive: true)
        #expect(document.answer.breaks.isEmpty && document.answer.findings.isEmpty && document.after.text == "3")
        #expect(throws: MetadataProblem.self) { try BroadpeakDocument.read(Array("{}".utf8), isLive: true) }
    }
}

import HLS
import Ports
import TestSupport
import Testing

@testable import AdTracking

/// What can be made of an address of tracking data alone (PRV-48).
@Suite struct AttachmentTests {
    private static let account = "9f8e7d6c5b4a3928"
    private static let now = Moment(wall: .second(1), uptime: .seconds(1))

    private static let accepted: [(url: String, provider: String, polled: String, id: String?)] = [
        (
            "https://x.example/v1/tracking/\(account)/cfg/s-1", "mediatailor",
            "https://x.example/v1/tracking/\(account)/cfg/s-1", "s-1"
        ),
        ("https://x.example/t?aws.sessionId=s-2", "mediatailor", "https://x.example/t?aws.sessionId=s-2", "s-2"),
        (
            "https://x.broadpeak.io/i.m3u8?bpkio_sessionid=b1&bk-ml=1.0", "broadpeak",
            "https://x.broadpeak.io/i.m3u8?bpkio_sessionid=b1&bk-ml=2.0", "b1"
        ),
        (
            "https://m.example/v.m3u8?pttrackingmode=simple&pttrackingversion=v2", "primetime",
            "https://m.example/v.m3u8?pttrackingmode=simple&pttrackingversion=v2", nil
        ),
        ("https://m.example/pods.vmap", "vmap", "https://m.example/pods.vmap", nil),
        ("https://h.example/live/metadata?sessid=S1", "harmonic", "https://h.example/live/metadata?sessid=S1", "S1"),
    ]

    @Test(arguments: accepted.indices) func whatHasTimesIsPolledAtItsAddress(_ index: Int) throws {
        let row = Self.accepted[index]
        let url = try WebURL(row.url)
        #expect(ProviderSetting.auto.attachProblem(of: url) == nil)
        let type = try #require(ProviderSetting.auto.provider(for: url))
        #expect(type.name == row.provider)
        var options = ProviderOptions(mediaURL: url)
        options.isAttached = true
        var provider = type.init(options)
        guard case .opened(let addresses) = provider.open() else {
            Issue.record("not opened: \(row.url)")
            return
        }
        #expect(addresses.path == .tracking && addresses.sessionID == row.id && addresses.isRecognised)
        provider.start(at: Self.now)
        let request = provider.request(on: ProviderSamples.mediaTailor.stream, at: Self.now)
        #expect(request?.url.text == row.polled)
    }

    @Test(arguments: [
        ("https://x.example/v1/session/\(account)/cfg/a.m3u8", "opens a session"),
        ("https://x.example/v1/master/\(account)/cfg/a.m3u8", "address of a playlist"),
        ("https://x.example/v1/manifest/\(account)/cfg/s-1/0.m3u8", "address of a playlist"),
        ("https://x.example/v1/segment/\(account)/cfg/s-1/0/1", "reports the ad"),
        ("https://dai.google.com/linear/v1/pa/event/k/stream/1-2:TUL/metadata", "without times"),
        ("https://csm.example/csm/analytics;jsessionid=AB.1", "without times"),
        ("https://content.uplynk.com/session/ping/1.json", "is itself a beacon"),
        ("https://x.broadpeak.io/i.m3u8", "has no session"),
        ("https://x.example/auditude/v.m3u8", "address of a playlist"),
        ("https://x.example/live/index.m3u8", "address of a playlist"),
        ("https://x.example/live/manifest.mpd", "address of a playlist"),
    ])
    func anyOtherIsRejectedBeforeARequest(_ text: String, _ words: String) throws {
        let url = try WebURL(text)
        let problem = try #require(ProviderSetting.auto.attachProblem(of: url))
        #expect(problem.contains(words), "\(problem)")
        var options = ProviderOptions(mediaURL: url)
        options.isAttached = true
        var provider = try #require(ProviderSetting.auto.provider(for: url)).init(options)
        guard case .failed(let failure) = provider.open() else {
            Issue.record("not rejected: \(text)")
            return
        }
        #expect(failure.steps.map(\.name) == ["address"])
        provider.start(at: Self.now)
        #expect(provider.nextRequest == nil)
    }

    @Test func aPlainStreamHasNoTrackingData() throws {
        let problem = try #require(ProviderSetting.none.attachProblem(of: try WebURL("https://h.example/metadata")))
        #expect(problem.contains("--provider none"))
    }

    /// Seconds have a place if the date of second 0 is known, and are never guessed.
    @Test(arguments: [true, false]) func secondsNeedTheDateOfSecondZero(isKnown: Bool) throws {
        var options = ProviderOptions(mediaURL: try WebURL("https://x.example/v1/tracking/\(Self.account)/cfg/s-1"))
        options.isAttached = true
        var provider = MediaTailorProvider(options)
        _ = provider.open()
        var stream = ProviderSamples.mediaTailor.stream
        (stream.hasPlaylist, stream.placesSeconds) = (false, isKnown)
        let answer = HTTPExchange.answer(
            200, MediaTailorTexts.document(avails: 2, token: "t"), url: "https://x.example/")
        let document = try provider.read(answer, on: stream)
        #expect(document.breaks.map(\.start) == (isKnown ? [.second(12), .second(72)] : []))
        #expect(document.findings.map(\.rule) == (isKnown ? [] : ["P01"]))
        if !isKnown { #expect(document.findings[0].path == "v12") }
    }

    /// An answer shows whose it is, whatever was guessed.
    @Test func anotherReaderKnowsItsOwnAnswer() {
        let tailor = Array(MediaTailorTexts.document(avails: 1, token: "t").utf8)
        #expect(ProviderTable.reader(of: tailor, except: "harmonic")?.name == "mediatailor")
        #expect(ProviderTable.reader(of: tailor, except: "mediatailor") == nil)
        for other in ["", "{}", "<html></html>", "[1]", #"{"avails":[]}"#] {
            #expect(ProviderTable.reader(of: Array(other.utf8), except: "harmonic") == nil, "\(other)")
        }
    }

    /// A document of a common form shows whose it is, also without breaks; an object in JSON does not.
    @Test func anEmptyScheduleIsOfItsReader() {
        let schedule = Array(#"<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0"/>"#.utf8)
        #expect(ProviderTable.reader(of: schedule, except: "harmonic") == nil)
        #expect(ProviderTable.reader(of: schedule, except: "harmonic", mayBeEmpty: true)?.name == "vmap")
        #expect(ProviderTable.reader(of: Array("{}".utf8), except: "dai", mayBeEmpty: true) == nil)
    }

    /// Live breaks of Yospace are VMAP, and have no place before the media shows their ads.
    @Test func anAnswerThatIsReadIsOfNobodyElse() {
        let answer = Array(
            (#"<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0"><vmap:AdBreak breakId="b" "#
                + #"breakType="linear" timeOffset="start"/></vmap:VMAP>"#).utf8)
        #expect(ProviderTable.reader(of: answer, except: "yospace")?.name == "vmap")
        #expect(ProviderTable.otherReader(of: answer, than: "yospace") == nil)
        #expect(ProviderTable.otherReader(of: answer, than: "harmonic")?.name == "vmap")
    }
}

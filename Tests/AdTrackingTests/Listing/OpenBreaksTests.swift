import HLS
import Ports
import Testing

@testable import AdTracking

/// What breaks report at their ends waits until they do not grow any more (PRV-25), and nothing is removed because an answer lacks it (PRV-9).
/// Segments have 6 s: a break is over once 12 s of media follow it.
@Suite struct OpenBreaksTests {
    private static let end = "https://t.example/a"

    /// A live stream that is listed up to that number of segments.
    private static func stream(_ segments: Int) -> StreamFacts {
        var viewer = Viewer()
        viewer.reload(playlistText(0, count: segments), at: 1)
        return StreamFacts(timeline: viewer.timeline)
    }

    /// A break with an ad of 4 s after the other.
    private static func listed(
        _ id: String?, at start: Double, for length: Int32 = 8, end: String? = nil, ads: [String] = ["x", "y"]
    ) -> ListedBreak {
        let seconds = { (second: Double) in ExactDecimal(seconds: .milliseconds(Int64(second * 1_000))) }
        var adBreak = ListedBreak(
            id: id, start: seconds(start), statedDuration: ExactDecimal(length), date: .second(start))
        for (number, name) in ["x", "y"].enumerated() where ads.contains(name) {
            let begin = start + 4 * Double(number)
            var ad = ListedAd(id: name, start: seconds(begin), length: ExactDecimal(4))
            ad.date = .second(begin)
            ad.events = [ListedEvent("impression", urls: ["https://t.example/\(name)"])]
            adBreak.ads.append(ad)
        }
        if let end { adBreak.events = [ListedEvent("breakEnd", urls: [end])] }
        return adBreak
    }

    /// What is reported at ends: break, ad, second and beacon.
    private static func ends(_ breaks: [AdBreak]) -> [String] {
        breaks.flatMap { adBreak in
            adBreak.ads.flatMap { ad in
                ad.events.filter(\.type.waitsForEnd).map {
                    let second: Duration = $0.start - UnixTime.second(0)
                    return "\(adBreak.name ?? "-")/\(ad.name ?? "-") \(second.inMilliseconds) \($0.urls.joined())"
                }
            }
        }
    }

    /// Pages and polls list only what is new, a minute or less behind what they listed before.
    @Test(arguments: ["https://t.example/b", nil]) func theNextBreakEndsNoOther(_ next: String?) {
        var open = OpenBreaks()
        let (first, second) = (Self.listed("a", at: 22, end: Self.end), Self.listed("b", at: 30, end: next))
        #expect(Self.ends(open.take([first], on: Self.stream(6))) == [])
        #expect(Self.ends(open.take([second], on: Self.stream(6))) == [])
        #expect(Self.ends(open.take([second], on: Self.stream(7))) == ["a/y 30000 https://t.example/a"])
        let last = next.map { ["b/y 38000 \($0)"] } ?? []
        #expect(Self.ends(open.take([second], on: Self.stream(9))) == last)
        #expect(Self.ends(open.take([], on: Self.stream(9))) == [] && open.isEmpty)
    }

    /// A break under another id, or without one, where the open one is, or with the beacon of its end: that is sent once.
    @Test(
        arguments: [
            ("b", 22.5, "https://t.example/b"), (nil, 22.5, "https://t.example/b"), ("b", 29.9, "https://t.example/b"),
            ("b", 50, Self.end), ("a", 50, "https://t.example/b"),
        ] as [(String?, Double, String)])
    func anotherBreakComesInItsPlace(_ id: String?, _ start: Double, _ end: String) {
        var open = OpenBreaks()
        _ = open.take([Self.listed("a", at: 22, end: Self.end)], on: Self.stream(6))
        #expect(Self.ends(open.take([Self.listed(id, at: start, end: end)], on: Self.stream(6))) == [])
        let due = Self.ends(open.take([], on: Self.stream(20)))
        #expect(due.count == 1 && due.allSatisfy { $0.hasSuffix(" \(end)") }, "\(due)")
        #expect(open.isEmpty)
    }

    /// Two breaks of one answer are two, whatever they have in common.
    @Test(arguments: [22.5, 29, 30]) func whatIsListedBesideABreakIsAnother(_ start: Double) {
        var open = OpenBreaks()
        let (first, second) = (Self.listed("a", at: 22, end: Self.end), Self.listed("b", at: start, end: Self.end))
        _ = open.take([first, second], on: Self.stream(6))
        #expect(open.take([second], on: Self.stream(6)).map(\.name) == ["b"])
        #expect(Self.ends(open.take([second], on: Self.stream(20))).map { $0.prefix(3) } == ["a/y", "b/y"])
    }

    /// A page without what the break reports at its end has it from the page before, at the last ad that is known.
    @Test(
        arguments: [
            ("a", 22.0, ["y"], ["y"]), ("a", 22.0, ["x"], ["x", "y"]), ("a", 22.0, [], ["y"]),
            (nil, 22.25, ["y"], ["y"]),
            ("b", 21.5, ["x", "y"], ["x", "y"]), ("a", 25, ["y"], ["y"]),
        ] as [(String?, Double, [String], [String])])
    func theEndOfABreakIsKept(_ id: String?, _ start: Double, _ page: [String], _ ads: [String]) {
        var open = OpenBreaks()
        _ = open.take([Self.listed("a", at: 22, end: Self.end)], on: Self.stream(6))
        let rest = Self.listed(id, at: start, ads: page)
        #expect(Self.ends(open.take([rest], on: Self.stream(6))) == [])
        let last = open.take([rest], on: Self.stream(8))
        let name = AdBreak(rest, listedUntil: nil)?.name ?? "-"
        let second = Int(start * 1_000) + 8_000
        #expect(Self.ends(last) == ["\(name)/y \(second) \(Self.end)"])
        #expect(last.map { $0.ads.map { $0.name ?? "-" } } == [ads])
        #expect(Self.ends(open.take([rest], on: Self.stream(9))) == [] && open.isEmpty)
    }

    /// A break that grows on a page without what it reports at its end reports it behind its last ad.
    @Test func theEndMovesWithTheBreak() {
        var open = OpenBreaks()
        _ = open.take([Self.listed("a", at: 22, for: 4, end: Self.end, ads: ["x"])], on: Self.stream(5))
        let grown = Self.listed("a", at: 22, ads: ["y"])
        #expect(Self.ends(open.take([grown], on: Self.stream(6))) == [])
        #expect(Self.ends(open.take([grown], on: Self.stream(7))) == ["a/y 30000 \(Self.end)"])
    }

    /// The playlist alone shows that a break is over, and the answer is listed again so that nothing in it seems to be gone.
    @Test func thePlaylistEndsABreak() throws {
        var open = OpenBreaks()
        let (first, second) = (Self.listed("a", at: 22, end: Self.end), Self.listed("b", at: 60))
        let answer = open.take([first, second], on: Self.stream(6))
        #expect(open.takeDocument(on: Self.stream(6)) == nil, "it was looked for there")
        #expect(open.takeDocument(on: StreamFacts()) == nil, "without a playlist nothing is over")
        guard case .media(var document)? = open.takeDocument(on: Self.stream(7)) else {
            Issue.record("the end of the break is missing")
            return
        }
        #expect(Self.ends(document.breaks) == ["a/y 30000 \(Self.end)"] && document.keepsUnlisted)
        #expect(document.settledUntil == .second(30))
        document.breaks[0].ads[1].events.removeLast()
        #expect(document.breaks == answer)
        #expect(open.takeDocument(on: Self.stream(8)) == nil && open.isEmpty)
    }

    /// Ads that moved and have other names are not listed beside themselves: two of one URL in one document are two showings (TRK-16).
    @Test func theEndOfARenamedBreakRepeatsNoAd() {
        var (open, viewer) = (OpenBreaks(), AdViewer())
        let (first, moved) = (Self.listed("a", at: 22, end: Self.end), Self.listed("b", at: 25))
        for (adBreak, segments) in [(first, 6), (moved, 6), (moved, 20)] {
            var document = DecodedMetadata(breaks: open.take([adBreak], on: Self.stream(segments)))
            document.keepsUnlisted = true
            viewer.metadata(document)
        }
        let start = UnixTime.second(0).milliseconds
        viewer.play(start + 15_000, start + 60_000)
        #expect(viewer.requests.sorted() == ["a", "x", "y"].map { "https://t.example/\($0)" })
    }

    /// Every provider whose answers have times looks at each playlist.
    @Test(arguments: [
        (
            "mediatailor",
            #"{"avails":[{"availId":"a","startTimeInSeconds":22,"durationInSeconds":8,"ads":[],"adBreakTrackingEvents":[{"eventType":"breakEnd","beaconUrls":["https://t.example/a"]}]}]}"#
        ),
        (
            "primetime",
            #"{"pods":[{"id":"a","startTime":22,"duration":8,"ads":[{"id":"x","startTime":22,"duration":8,"trackingUrls":[]}],"trackingUrls":[{"event":"breakEnd","url":"https://t.example/a"}]}]}"#
        ),
    ]) func aProviderNeedsNoFurtherAnswer(_ name: String, _ text: String) throws {
        let type = try #require(ProviderTable.providers.first { $0.name == name })
        var provider: any AdMetadataProvider = type.init(ProviderOptions(mediaURL: try WebURL("https://h.example/x")))
        let early = try provider.read(.answer(200, text), on: Self.stream(6))
        #expect(early.breaks.map(\.start) == [.second(22)] && Self.ends(early.breaks) == [])
        #expect(provider.hasDocument && provider.takeDocument(on: Self.stream(6)) == nil)
        guard case .media(let document)? = provider.takeDocument(on: Self.stream(7)) else {
            Issue.record("the end of the break is missing")
            return
        }
        #expect(Self.ends(document.breaks).map { $0.hasSuffix(" 30000 https://t.example/a") } == [true])
        #expect(!provider.hasDocument && provider.takeDocument(on: Self.stream(8)) == nil)
        #expect(Self.ends(try provider.read(.answer(200, text), on: Self.stream(8)).breaks).count == 1)
    }
}

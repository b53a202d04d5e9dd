import AdTracking
import HLS
import Ports
import Testing

/// Asset lists with signaling as breaks (TRK-28).
@Suite struct InterstitialBreakTests {
    /// The break of an interstitial at second 20 with this list; its times are in milliseconds from there.
    private func adBreak(_ list: String, attributes: String = "") throws -> InterstitialBreak {
        let tag =
            "#EXT-X-DATERANGE:ID=\"i\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"\(UnixTime.second(20).iso8601)\","
            + "X-ASSET-LIST=\"https://ads.example.com/i.json\"" + attributes
        var viewer = Viewer()
        viewer.reload(playlistText(0, tags: tag), at: 36)
        _ = viewer.requests()
        let assets = try AssetList.read(Array(list.utf8), uri: "https://ads.example.com/i.json")
        viewer.answer("i", assets, at: 37)
        let entry = try #require(viewer.playhead.interstitials[id: "i"])
        return InterstitialBreak(entry, list: assets, start: .second(20))
    }

    private func events(_ adBreak: InterstitialBreak, _ ad: Int) -> [String] {
        guard adBreak.adBreak.ads.indices.contains(ad) else { return [] }
        return adBreak.adBreak.ads[ad].events.map { event in
            let offset = (event.start - .second(20)).roundedMilliseconds
            let length = event.duration == .zero ? "" : "+\(event.duration.roundedMilliseconds)"
            return "\(event.rawName) \(offset)\(length)"
        }
    }

    private func spans(_ adBreak: InterstitialBreak) -> [String] {
        adBreak.adBreak.ads.map { ad in
            "\(ad.name ?? "-") \((ad.start - .second(20)).roundedMilliseconds)+\(ad.duration.roundedMilliseconds)"
        }
    }

    private static func event(_ type: String, _ offset: String = "") -> String {
        #"{"type":"\#(type)"\#(offset),"urls":["https://t.example/\#(type)"]}"#
    }

    private static func slot(_ more: String, _ events: [String]) -> String {
        #"{\#(more)\#(more.isEmpty ? "" : ",")"tracking":[\#(events.joined(separator: ","))]}"#
    }

    private static func envelope(_ type: String, _ payload: String) -> String {
        #""X-AD-CREATIVE-SIGNALING":{"version":2,"type":"\#(type)","payload":[\#(payload)]}"#
    }

    @Test func assetsFollowEachOther() throws {
        let types = ["impression", "firstQuartile", "midpoint", "thirdQuartile", "complete", "mute", "clickTracking"]
        let slot = Self.slot(#""identifiers":[{"value":"x"}],"duration":8"#, types.map { Self.event($0) })
        let result = try adBreak(
            #"{"ASSETS":[{"URI":"https://a.example/one.m3u8?x=1","DURATION":12},"#
                + #"{"URI":"https://a.example/two.m3u8","DURATION":8,\#(Self.envelope("slot", slot))}]}"#)
        #expect(spans(result) == ["one.m3u8 0+12000", "x 12000+8000"])
        #expect(
            events(result, 1) == [
                "impression 12000", "firstQuartile 14000", "midpoint 16000", "thirdQuartile 18000", "complete 20000",
                "mute 12000+8000", "clickTracking 12000",
            ])
        #expect(result.findings.isEmpty && result.hasTracking)
        #expect(result.adBreak.track == .interstitial("i") && result.adBreak.source == .interstitial)
        #expect(result.adBreak.duration == .seconds(20))
    }

    /// A reader that uses the start of an asset for every slot would end the second slot early (TRK-29).
    @Test(arguments: [#""start":5,"duration":7"#, #""duration":7"#])
    func twoSlotsInOneAsset(second: String) throws {
        let slots = [
            Self.slot(#""duration":5"#, [Self.event("complete")]), Self.slot(second, [Self.event("complete")]),
        ].joined(separator: ",")
        let result = try adBreak(
            #"{"ASSETS":[{"URI":"https://a.example/a.m3u8","DURATION":12,\#(Self.envelope("slot", slots))}]}"#)
        #expect(spans(result) == ["a.m3u8 0+5000", "a.m3u8 2 5000+7000"])
        #expect(events(result, 1) == ["complete 12000"])
    }

    /// An offset determines the time whatever the type.
    @Test func offsetsCountFromTheSlot() throws {
        let slot = Self.slot(
            #""start":2"#, [Self.event("start", #","offset":0.5"#), Self.event("progress", #","offset":3"#)])
        let result = try adBreak(
            #"{"ASSETS":[{"URI":"https://a.example/a.m3u8","DURATION":12,\#(Self.envelope("slot", slot))}]}"#)
        #expect(events(result, 0) == ["start 2500", "progress 5000"])
    }

    @Test func namesAreComparedWithoutRegardToCase() throws {
        let slot = Self.slot("", [Self.event("START"), Self.event("Progress", #","offset":3"#), Self.event("expand")])
        let result = try adBreak(
            #"{"ASSETS":[{"URI":"https://a.example/a.m3u8","DURATION":12,\#(Self.envelope("slot", slot))}]}"#)
        #expect(result.adBreak.ads.flatMap(\.events).map(\.type) == [.start, .progress, .playerExpand])
    }

    /// Who reports an ad depends on whether it is over the stream.
    @Test(arguments: [("Linear", nil), ("nonlinear", "nonlinear")])
    func typesOfSlotsAreComparedWithoutRegardToCase(_ type: String, _ shown: String?) throws {
        let slot = Self.slot(#""type":"\#(type)""#, [Self.event("start")])
        let result = try adBreak(
            #"{"ASSETS":[{"URI":"https://a.example/a.m3u8","DURATION":12,\#(Self.envelope("slot", slot))}]}"#)
        #expect(result.adBreak.ads.map { $0.extras["type"]?.stringValue } == [shown])
    }

    /// Announced lengths are rounded: a slot as long as its asset ends with the asset.
    @Test(arguments: [("15.3", "a.m3u8 0+15000", 0), ("14.6", "a.m3u8 0+15000", 0), ("16", "a.m3u8 0+15000", 1)])
    func roundedLengths(_ stated: String, _ span: String, _ findings: Int) throws {
        let slot = Self.slot(#""duration":\#(stated)"#, [Self.event("complete")])
        let result = try adBreak(
            #"{"ASSETS":[{"URI":"https://a.example/a.m3u8","DURATION":15,\#(Self.envelope("slot", slot))}]}"#)
        #expect(spans(result) == [span])
        #expect(result.findings.map(\.rule) == Array(repeating: "signaling-slot-too-long", count: findings))
    }

    /// The next asset plays there, and the last one has ended (TRK-28).
    @Test func nothingIsDueBehindTheEndOfItsAsset() throws {
        let slot = Self.slot(
            #""duration":9"#,
            [Self.event("complete"), Self.event("progress", #","offset":6"#), Self.event("start", #","offset":4.3"#)])
        let result = try adBreak(
            #"{"ASSETS":[{"URI":"https://a.example/a.m3u8","DURATION":4,\#(Self.envelope("slot", slot))},"#
                + #"{"URI":"https://a.example/b.m3u8","DURATION":4}]}"#)
        #expect(spans(result) == ["a.m3u8 0+4000", "b.m3u8 4000+4000"])
        #expect(result.adBreak.ads[0].events.map(\.type) == [.complete, .unknown, .start])
        #expect(events(result, 0) == ["complete 4000", "progress 6000", "start 4000"])
        #expect(
            result.findings.map { "\($0.rule) \($0.message)" } == [
                "signaling-slot-too-long slot ends 5000 ms after its asset",
                "L21 progress lies 2000 ms after its asset",
            ])
    }

    /// Quartiles and `complete` of nothing are never due (PRV-5).
    @Test(arguments: ["", #""duration":0"#]) func anAssetOfLengthZeroHasNoShares(_ stated: String) throws {
        let slot = Self.slot(stated, ["impression", "firstQuartile", "complete"].map { Self.event($0) })
        let result = try adBreak(
            #"{"ASSETS":[{"URI":"https://a.example/a.m3u8","DURATION":0,\#(Self.envelope("slot", slot))},"#
                + #"{"URI":"https://a.example/b.m3u8","DURATION":4}]}"#)
        #expect(result.adBreak.ads.first?.events.map(\.type) == [.impression, .unknown, .unknown])
        #expect(
            result.findings.map(\.message) == ["firstQuartile, complete of 'a.m3u8' are never due: the length is 0"])
    }

    /// Before the list arrives its length is not known: no slot is too long for it.
    @Test func aSlotOfTheTagWithoutAList() throws {
        let envelope = "{\(Self.envelope("slot", Self.slot(#""duration":5"#, [Self.event("complete")])))}"
        let signal = try JSONReader.read(Array(envelope.utf8))[CreativeSignal.member]
        let text = Base64.encode(Array((signal ?? .null).text().utf8))
        var viewer = Viewer()
        let tag =
            "#EXT-X-DATERANGE:ID=\"i\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"\(UnixTime.second(20).iso8601)\","
            + "X-ASSET-LIST=\"https://ads.example.com/i.json\",X-AD-CREATIVE-SIGNALING=\"\(text)\""
        viewer.reload(playlistText(0, tags: tag), at: 36)
        let entry = try #require(viewer.playhead.interstitials[id: "i"])
        let result = InterstitialBreak(entry, list: nil, start: .second(20))
        #expect(events(result, 0) == ["complete 5000"] && result.findings.isEmpty)
    }

    /// The list's own envelope applies to the whole list: its events go to the ads they fall into.
    @Test func podEventsGoToTheAdsTheyFallInto() throws {
        let slot = Self.slot("", [Self.event("start")])
        let pod =
            #"{"duration":20,"tracking":["#
            + [Self.event("podStart"), Self.event("podEnd"), Self.event("midpoint")].joined(separator: ",") + "]}"
        let result = try adBreak(
            #"{"ASSETS":[{"URI":"https://a.example/a.m3u8","DURATION":12,\#(Self.envelope("slot", slot))},"#
                + #"{"URI":"https://a.example/b.m3u8","DURATION":8}],\#(Self.envelope("pod", pod))}"#)
        #expect(spans(result) == ["a.m3u8 0+12000", "b.m3u8 12000+8000"])
        #expect(events(result, 0) == ["start 0", "podStart 0", "midpoint 10000"])
        #expect(events(result, 1) == ["podEnd 20000"])
    }

    @Test func slotsOfTheListCountWhereNoAssetHasItsOwn() throws {
        let pod =
            #"{"slots":[\#(Self.slot(#""duration":12"#, [Self.event("complete")])),"#
            + #"\#(Self.slot(#""duration":8"#, [Self.event("complete")]))]}"#
        let list =
            #"{"ASSETS":[{"URI":"https://a.example/a.m3u8","DURATION":20}],\#(Self.envelope("pod", pod))}"#
        let result = try adBreak(list)
        #expect(spans(result) == ["i 0+12000", "i 2 12000+8000"])
        #expect(events(result, 1) == ["complete 20000"])
    }

    @Test func theAttributeOfTheDateRangeIsReadToo() throws {
        // {"version":2,"type":"pod","payload":[{"tracking":[{"type":"podStart","urls":["https://t.example/p"]}]}]}
        let text =
            "eyJ2ZXJzaW9uIjoyLCJ0eXBlIjoicG9kIiwicGF5bG9hZCI6W3sidHJhY2tpbmciOlt7InR5cGUiOiJwb2RTdGFydCIsInVybHMiOlsiaHR0cHM6Ly90LmV4YW1wbGUvcCJdfV19XX0="
        let result = try adBreak(
            #"{"ASSETS":[{"URI":"https://a.example/a.m3u8","DURATION":20}]}"#,
            attributes: ",X-AD-CREATIVE-SIGNALING=\"\(text)\"")
        #expect(events(result, 0) == ["podStart 0"])
    }

    /// VAST macros are filled when the beacon is claimed; other URLs are sent byte for byte.
    @Test func macrosAreFilled() throws {
        let slot =
            #"{"tracking":[{"type":"start","urls":["https://t.example/s?cb=[CACHEBUSTING]"]},"#
            + #"{"type":"complete","urls":["https://t.example/c"]}]}"#
        let result = try adBreak(
            #"{"ASSETS":[{"URI":"https://a.example/a.m3u8","DURATION":20,\#(Self.envelope("slot", slot))}]}"#)
        #expect(result.adBreak.ads.first?.events.map { $0.macros != nil } == [true, false])
        var viewer = AdViewer()
        viewer.place([result.adBreak], by: .interstitial)
        let start = UnixTime.second(20).milliseconds
        viewer.play(start, start + 20_000, on: .interstitial("i"))
        #expect(viewer.requests.count == 2)
        #expect(viewer.requests.first?.wholeMatch(of: /https:\/\/t\.example\/s\?cb=\d{8}/) != nil)
    }

    @Test func withoutAssetsThereIsNothingToReport() throws {
        let result = try adBreak(#"{"ASSETS":[]}"#)
        #expect(result.adBreak.ads.isEmpty && !result.hasTracking)
        #expect(result.adBreak.duration == .zero)
    }
}

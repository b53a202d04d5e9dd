import AdTracking
import HLS
import Ports
import Testing

/// Date ranges with signaling in a stitched stream, as breaks (TRK-28, TRK-29).
@Suite struct SignaledRangesTests {
    static func range(
        _ id: String, _ start: Double, _ length: Double?, _ envelope: String?,
        class name: String? = "urn:svta:advertising-wg:ad-creative-signaling"
    ) -> DateRange {
        var range = DateRange(id: id)
        range.rangeClass = name
        range.start = .second(start)
        range.statedDuration = length.map { .milliseconds(Int64($0 * 1_000)) }
        if let envelope {
            let text = Base64.encode(Array(envelope.utf8))
            range.extensions = [ExtensionAttribute(name: CreativeSignal.member, value: .string(text))]
        }
        return range
    }

    static func slot(_ more: String = "", _ types: [String] = ["start", "complete"]) -> String {
        let events = types.map { #"{"type":"\#($0)","urls":["https://t.example/\#($0)"]}"# }.joined(separator: ",")
        return #"{\#(more)\#(more.isEmpty ? "" : ",")"tracking":[\#(events)]}"#
    }

    static func envelope(_ type: String, _ payload: String) -> String {
        #"{"version":2,"type":"\#(type)","payload":[\#(payload)]}"#
    }

    static func take(
        _ ranges: [DateRange], window: Double? = 0, horizon: Double? = nil, needsEvents: Bool = false,
        by signaled: inout SignaledRanges
    ) -> SignaledRanges.Change {
        signaled.take(
            ranges, withdrawingFrom: window.map { .second($0) }, horizon: horizon.map { .second($0) },
            needsEvents: needsEvents)
    }

    private static func read(_ ranges: [DateRange]) -> SignaledRanges.Change {
        var signaled = SignaledRanges()
        return take(ranges, by: &signaled)
    }

    private func texts(_ breaks: [AdBreak]) -> [String] {
        breaks.map { adBreak in
            func offset(_ time: UnixTime) -> Int64 { (time - .second(0)).roundedMilliseconds }
            let ads = adBreak.ads.map { ad in
                let events = ad.events.map { "\($0.type == .unknown ? "never " : "")\($0.rawName)@\(offset($0.start))" }
                return "\(ad.name ?? "-") \(offset(ad.start))+\(ad.duration.roundedMilliseconds)"
                    + (events.isEmpty ? "" : " " + events.joined(separator: " "))
            }
            return "\(adBreak.name ?? "-") \(offset(adBreak.start))+\(adBreak.duration.roundedMilliseconds): "
                + ads.joined(separator: ", ")
        }
    }

    @Test(arguments: [
        "urn:svta:advertising-wg:ad-creative-signaling", "urn:svta:advertising-wg:ad-id-signaling",
        "urn:sva:advertising-wg:ad-creative-signaling", "urn:sva:advertising-wg:ad-id-signaling",
    ])
    func theClassesOfTheStandard(_ name: String) {
        let change = Self.read([Self.range("a", 20, 10, Self.envelope("slot", Self.slot()), class: name)])
        #expect(texts(change.placed) == ["a 20000+10000: a 20000+10000 start@20000 complete@30000"])
        #expect(change.findings.isEmpty)
        #expect(change.placed.first?.source == .signaling && change.placed.first?.track == .primary)
    }

    @Test(arguments: ["com.apple.hls.interstitial", "URN:SVTA:advertising-wg:ad-creative-signaling", nil])
    func otherClassesAreNot(_ name: String?) {
        #expect(
            Self.read([Self.range("a", 20, 10, Self.envelope("slot", Self.slot()), class: name)])
                == SignaledRanges.Change())
    }

    /// Nobody knows when its ads play (P01); one whose date is known from another playlist keeps it.
    @Test func aRangeWithoutADateIsReported() {
        var undated = Self.range("a", 20, 10, Self.envelope("slot", Self.slot()))
        undated.start = nil
        let change = Self.read([undated, Self.range("b", 40, 10, Self.envelope("slot", Self.slot()))])
        #expect(change.placed.map(\.name) == ["b"])
        #expect(
            change.findings.map { "\($0.rule) \($0.path ?? "") \($0.message)" } == [
                "P01 a date range 'a': it has no usable START-DATE, so its ads have no place"
            ])
        undated.rangeClass = "com.example"
        #expect(Self.read([undated]).findings == [])
        var signaled = SignaledRanges()
        _ = Self.take([Self.range("a", 20, 10, Self.envelope("slot", Self.slot()))], by: &signaled)
        undated.rangeClass = nil
        #expect(Self.take([undated], by: &signaled).findings == [])
    }

    /// Each slot has its own start and length (TRK-29).
    @Test(arguments: [#""start":4,"duration":6"#, #""duration":6"#, #""start":4"#])
    func slotsOfOneRange(_ second: String) {
        let slots = [Self.slot(#""duration":4"#), Self.slot(second)].joined(separator: ",")
        #expect(
            texts(Self.read([Self.range("a", 20, 10, Self.envelope("slot", slots))]).placed) == [
                "a 20000+10000: a 20000+4000 start@20000 complete@24000, a 2 24000+6000 start@24000 complete@30000"
            ])
    }

    /// A pod is a break, as are several in one range (TRK-29).
    @Test func pods() {
        let podStart = #"{"type":"podStart","urls":["https://t.example/p"]}"#
        let pod =
            #"{"duration":6,"slots":[\#(Self.slot(#""duration":6"#))],"tracking":[\#(podStart)]}"#
        let later = #"{"start":6,"slots":[\#(Self.slot())]}"#
        #expect(
            texts(Self.read([Self.range("a", 20, 10, Self.envelope("pod", pod + "," + later))]).placed) == [
                "a#1 20000+6000: a#1 20000+6000 start@20000 complete@26000 podStart@20000",
                "a#2 26000+4000: a#2 26000+4000 start@26000 complete@30000",
            ])
    }

    @Test func eventsAlone() {
        let events =
            #"{"type":"midpoint","urls":["https://t.example/m"]},{"type":"progress","offset":2,"urls":["https://t.example/p"]}"#
        #expect(
            texts(Self.read([Self.range("a", 20, 10, Self.envelope("trackingEvent", events))]).placed) == [
                "a 20000+10000: a 20000+10000 midpoint@25000 progress@22000"
            ])
    }

    /// A share of an unknown length has no moment; when the length becomes known, it has one.
    @Test func anUnknownLength() {
        var signaled = SignaledRanges()
        let envelope = Self.envelope("slot", Self.slot())
        let open = Self.take([Self.range("a", 20, nil, envelope)], by: &signaled)
        #expect(texts(open.placed) == ["a 20000+0: a 20000+0 start@20000 never complete@20000"])
        let closed = Self.take([Self.range("a", 20, 10, envelope)], by: &signaled)
        #expect(texts(closed.placed) == ["a 20000+10000: a 20000+10000 start@20000 complete@30000"])
        // The closing tag may have neither CLASS nor envelope.
        #expect(Self.take([Self.range("a", 20, 10, nil, class: nil)], by: &signaled) == SignaledRanges.Change())
        let longer = Self.take([Self.range("a", 20, 12, nil, class: nil)], by: &signaled)
        #expect(texts(longer.placed) == ["a 20000+12000: a 20000+12000 start@20000 complete@32000"])
    }

    /// A share of 0 has no moment either (PRV-5), whether the range or its slot states it; the slot of a range of length 0 keeps its own.
    @Test(
        arguments: [
            (0, "", "a 20000+0: a 20000+0 start@20000 never complete@20000", ["signaling-no-length"]),
            (
                10, #""duration":0"#, "a 20000+10000: a 20000+0 start@20000 never complete@20000",
                ["signaling-no-length"]
            ),
            (0, #""duration":4"#, "a 20000+4000: a 20000+4000 start@20000 complete@24000", []),
        ] as [(Double, String, String, [String])])
    func aLengthOfZero(_ length: Double, _ slot: String, _ text: String, _ rules: [String]) {
        let change = Self.read([Self.range("a", 20, length, Self.envelope("slot", Self.slot(slot)))])
        #expect(texts(change.placed) == [text])
        #expect(change.findings.map(\.rule) == rules)
    }

    /// Signaling is checked like the answers of providers (PRV-4, PRV-7, PRV-8), and what cannot be sent is left out.
    @Test func eventsAreCheckedLikeThoseOfAnAnswer() {
        let urls = ["ftp://t.example/x", "//t.example/x", "https://t.example/i", "https://t.example/i"].map {
            "\"\($0)\""
        }
        let events = [
            #"{"type":"impression","urls":[\#(urls.joined(separator: ","))]}"#, #"{"type":"start","urls":[]}"#,
            #"{"type":"weird","urls":["https://t.example/w?x=[FOO]"]}"#, #"{"type":"midpoint","urls":["nope"]}"#,
            #"{"type":"complete","urls":["https://t.example/c?cb=[CACHEBUSTING]"]}"#,
        ]
        let slot = #"{"tracking":[\#(events.joined(separator: ","))]}"#
        let change = Self.read([Self.range("a", 20, 10, Self.envelope("slot", slot))])
        #expect(
            texts(change.placed) == ["a 20000+10000: a 20000+10000 impression@20000 never weird@20000 complete@30000"])
        #expect(change.placed.first?.ads.first?.events.first?.urls == ["https://t.example/i"])
        #expect(change.findings.map(\.rule) == ["L28", "L28", "L27", "L29", "L33", "L28", "L25"])
        #expect(change.findings.last?.path == "a/a/impression")
        #expect(change.findings.last?.message == "date range 'a': impression lists 'https://t.example/i' twice")
    }

    /// Ranges that follow each other are one break, whichever of them the playlist still lists.
    @Test func rangesThatFollowEachOtherAreOneBreak() {
        var signaled = SignaledRanges()
        let envelope = Self.envelope("slot", Self.slot("", ["start"]))
        let (first, second) = (Self.range("a", 20, 10, envelope), Self.range("b", 30.05, 10, envelope))
        let third = Self.range("c", 40.1, 5, envelope)
        let apart = Self.range("d", 60, 5, envelope)
        let one = Self.take([first, second, apart], window: 10, by: &signaled)
        #expect(
            texts(one.placed) == [
                "a 20000+20050: a 20000+10000 start@20000, b 30050+10000 start@30050",
                "d 60000+5000: d 60000+5000 start@60000",
            ])
        // The first range left with its segments; the third is new.
        let two = Self.take([second, third, apart], window: 25, by: &signaled)
        #expect(
            texts(two.placed) == [
                "a 20000+25100: a 20000+10000 start@20000, b 30050+10000 start@30050, c 40100+5000 start@40100"
            ])
        #expect(two.withdrawn.isEmpty)
        #expect(Self.take([second, third, apart], window: 28, by: &signaled) == SignaledRanges.Change())
        // A range that is removed while its time is listed is withdrawn, and comes back as what it was.
        let three = Self.take([second, third], window: 28, by: &signaled)
        #expect(three.placed.isEmpty && three.withdrawn == ["d"])
        #expect(Self.take([second, third], window: 100, by: &signaled) == SignaledRanges.Change())
        #expect(texts(Self.take([second, third, apart], window: 28, by: &signaled).placed).count == 1)
        // Behind the retention nothing is kept, and nothing is withdrawn.
        let four = Self.take([], window: 10_000, horizon: 9_000, by: &signaled)
        #expect(four.placed.isEmpty && four.withdrawn.isEmpty && four.forgotten == ["a", "d"] && signaled.isEmpty)
    }

    /// Whether a range continues the one before is decided while it has not begun to play: its end may become known or change (TRK-29).
    @Test func anEndThatBecomesKnownJoinsTheNextRange() {
        var signaled = SignaledRanges()
        let envelope = Self.envelope("slot", Self.slot("", ["start"]))
        let next = Self.range("b", 26.08, 4, envelope)
        let open = Self.take([Self.range("a", 22, nil, envelope), next], window: 21, by: &signaled)
        #expect(open.placed.map(\.name) == ["a", "b"])
        let closed = Self.take([Self.range("a", 22, 4, envelope), next], window: 24, by: &signaled)
        #expect(texts(closed.placed) == ["a 22000+8080: a 22000+4000 start@22000, b 26080+4000 start@26080"])
        #expect(closed.withdrawn == ["b"])
        let apart = Self.take([Self.range("a", 22, 2, envelope), next], window: 25, by: &signaled)
        #expect(apart.placed.map(\.name) == ["a", "b"] && apart.withdrawn.isEmpty)
        // It has begun, so its break stays.
        let late = Self.take([Self.range("a", 22, 4, envelope), next], window: 26.08, by: &signaled)
        #expect(late.placed.map(\.name) == ["a"] && late.withdrawn.isEmpty)
    }

    /// Ad-ID decoration gives the ads of one avail ids with its number; they have no events.
    @Test func adIDsAreGroupedByAvail() {
        let bare = #"{"version":1,"identifiers":[{"scheme":"ad-id","value":"creative","ad_position":"1"}]}"#
        let ranges = [Self.range("812-1", 20, 10, bare), Self.range("812-2", 36, 4, bare)]
        #expect(
            texts(Self.read(ranges).placed) == ["812 20000+20000: creative 20000+10000, creative 36000+4000"])
        // Where metadata describes the ads, such ranges add nothing.
        var signaled = SignaledRanges()
        #expect(Self.take(ranges, needsEvents: true, by: &signaled) == SignaledRanges.Change())
    }

    @Test(arguments: [
        (nil, "is missing"), ("{", "is not JSON"),
        (#"{"version":2,"type":"banner","payload":[{}]}"#, "the type 'banner'"),
    ])
    func unusablePayloadsAreReportedOnce(_ envelope: String?, _ words: String) throws {
        var signaled = SignaledRanges()
        let ranges = [Self.range("a", 20, 10, envelope), Self.range("b", 50, 10, Self.envelope("slot", Self.slot()))]
        let change = Self.take(ranges, by: &signaled)
        let finding = try #require(change.findings.first)
        #expect(change.findings.count == 1 && finding.message.contains("date range 'a'"))
        #expect(finding.message.contains(words) && finding.path?.hasPrefix("a") == true)
        #expect(change.placed.map(\.name) == ["b"])
        #expect(Self.take(ranges, by: &signaled) == SignaledRanges.Change())
    }

    @Test func aNumberInPlaceOfAnEnvelope() {
        var range = Self.range("a", 20, 10, nil)
        range.extensions = [ExtensionAttribute(name: CreativeSignal.member, value: .decimal("1"))]
        #expect(Self.read([range]).findings.map(\.rule) == ["signaling-undecodable"])
    }

    @Test func aSlotLongerThanItsRange() {
        let change = Self.read([Self.range("a", 20, 10, Self.envelope("slot", Self.slot(#""duration":12"#)))])
        #expect(change.findings.map(\.rule) == ["signaling-slot-too-long"])
        #expect(change.findings.first?.message == "date range 'a': slot ends 2000 ms after its date range")
        #expect(change.placed.first?.duration == .seconds(12))
    }

    /// Ids that are others with every reload, dates without end, and too much of everything.
    @Test func whatAServerSendsIsBounded() {
        var signaled = SignaledRanges()
        let envelope = Self.envelope("slot", Self.slot())
        var findings: [Finding] = []
        for reload in 0..<5 {
            let ranges = (0..<SignaledRanges.limit + 50).map {
                Self.range("\(reload)-\($0)", 1e8 + Double($0) * 20, 1e9, envelope)
            }
            let change = Self.take(ranges, by: &signaled)
            findings += change.findings
            #expect(change.placed.reduce(0) { $0 + $1.ads.count } <= SignaledRanges.limit)
        }
        #expect(findings.map(\.rule) == ["signaling-too-many"])
        // What is listed now has the room, not what was listed before.
        #expect(Self.take([Self.range("own", 20, 10, envelope)], by: &signaled).placed.map(\.name) == ["own"])
        let wide = Self.envelope(
            "slot", Array(repeating: Self.slot(), count: CreativeSignal.slotLimit).joined(separator: ","))
        let full = Self.take((0..<20).map { Self.range("w\($0)", Double($0) * 20_000, 10, wide) }, by: &signaled)
        let nodes = full.placed.flatMap(\.ads).reduce(0) { $0 + 1 + $1.events.count }
        #expect(nodes > CreativeSignal.slotLimit && nodes <= SignaledRanges.nodeLimit)
    }

    /// A beacon that metadata and signaling both list is one: it is not sent, and once where a person wants it all the same.
    @Test(arguments: [0, 300, -300], [false, true]) func metadataAndSignalingAreOneBeacon(_ shift: Int64, anyway: Bool)
    {
        var signaled = SignaledRanges()
        let start = UnixTime.second(20).milliseconds
        let change = Self.take([Self.range("a", 20, 10, Self.envelope("slot", Self.slot()))], by: &signaled)
        var viewer = AdViewer(reportsAnyway: anyway)
        let metadata = AdBreak.test(
            "m", start + shift, 10_000,
            [
                .test(
                    "x", start + shift, 10_000,
                    [.test(.start, start + shift), .test(.complete, start + shift + 10_000)])
            ])
        viewer.metadata([metadata], range: start - 60_000...start + 60_000)
        viewer.place(change.placed, by: .signaling)
        for step in stride(from: -2_000, to: 14_000, by: 250) {
            viewer.play(start + Int64(step), start + Int64(step) + 250)
        }
        #expect(viewer.requests == (anyway ? ["https://t.example/start", "https://t.example/complete"] : []))
        #expect(viewer.tracker.book.breaks.map(\.name.text) == ["m"])
    }

    /// An id is unique in a playlist only: one that comes again when its range is over is that of another break.
    @Test func anIDThatComesAgainIsAnotherBreak() {
        var signaled = SignaledRanges()
        let envelope = Self.envelope("slot", Self.slot())
        var starts: [Double: String] = [:]
        for start in [10.0, 40, 70] {
            for ranges in [[Self.range("a", start, 10, envelope)], []] {
                for adBreak in Self.take(ranges, window: nil, by: &signaled).placed {
                    starts[Double((adBreak.start - .second(0)).inMilliseconds) / 1_000] = adBreak.name
                }
            }
        }
        #expect(Set(starts.keys) == [10, 40, 70] && Set(starts.values).count == 3)
        // One that moves while it is listed, or comes again with its date, is the same.
        var moved = SignaledRanges()
        for start in [10.0, 25, 10] {
            #expect(
                Self.take([Self.range("a", start, 10, envelope)], window: nil, by: &moved).placed.map(\.name) == ["a"])
        }
    }
}

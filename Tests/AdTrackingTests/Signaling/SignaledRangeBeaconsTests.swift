import AdTracking
import HLS
import Ports
import Testing

/// What is sent of date ranges whose length or break changes (TRK-29).
@Suite struct SignaledRangeBeaconsTests {
    private typealias Ranges = SignaledRangesTests

    /// What had no moment while the length was unknown is sent once the length is known, once each: before the range plays, while it does,
    /// and after its end (TRK-29).
    @Test(arguments: [-1_000, 0, 3_000, 11_000]) func eventsOfALengthThatBecomesKnown(_ known: Int64) {
        var signaled = SignaledRanges()
        let start = UnixTime.second(20).milliseconds
        let types = ["podStart", "podEnd"].map { #"{"type":"\#($0)","urls":["https://t.example/\#($0)"]}"# }
        let slot = Ranges.slot("", ["impression", "thirdQuartile", "complete"])
        let envelope = Ranges.envelope("pod", #"{"slots":[\#(slot)],"tracking":[\#(types.joined(separator: ","))]}"#)
        var viewer = AdViewer()
        viewer.place(Ranges.take([Ranges.range("a", 20, nil, envelope)], by: &signaled).placed, by: .signaling)
        for step in stride(from: Int64(-2_000), to: 14_000, by: 250) {
            if step >= known {
                let change = Ranges.take([Ranges.range("a", 20, step > known ? 10.5 : 10, envelope)], by: &signaled)
                viewer.place(change.placed, by: .signaling)
            }
            viewer.play(start + step, start + step + 250)
        }
        #expect(
            viewer.requests.sorted()
                == ["complete", "impression", "podEnd", "podStart", "thirdQuartile"].map { "https://t.example/\($0)" })
        #expect(viewer.state(.complete) == .done && viewer.state(.podEnd) == .done)
    }

    /// A break that becomes a part of the one before, or has another name with more pods in its envelope, sends nothing twice. A viewer who
    /// went back may have seen it.
    @Test(arguments: [-1_000, 3_000, 8_000]) func aRangeInAnotherBreakIsNotSentTwice(_ known: Int64) {
        var signaled = SignaledRanges()
        let start = UnixTime.second(22).milliseconds
        let first = Ranges.envelope("slot", Ranges.slot("", ["creativeView"]))
        let next = Ranges.range("b", 26, 3, Ranges.envelope("slot", Ranges.slot()))
        let pod = #"{"duration":2,"slots":[\#(Ranges.slot("", ["impression"]))]}"#
        func ranges(isKnown: Bool) -> [DateRange] {
            let pods = isKnown ? pod + #",{"start":2,"slots":[\#(Ranges.slot("", ["loaded"]))]}"# : pod
            return [
                Ranges.range("a", 22, isKnown ? 4 : nil, first), next,
                Ranges.range("p", 23, 4, Ranges.envelope("pod", pods)),
            ]
        }
        var viewer = AdViewer()
        for step in stride(from: Int64(-2_000), to: 12_000, by: 250) {
            let change = Ranges.take(ranges(isKnown: step >= known), window: 21, by: &signaled)
            viewer.place(change.placed, by: .signaling)
            viewer.run(viewer.tracker.withdrawn(change.withdrawn, by: .signaling, at: viewer.now))
            viewer.play(start + step, start + step + 250)
        }
        #expect(
            viewer.requests.sorted()
                == ["complete", "creativeView", "impression", "loaded", "start"].map { "https://t.example/\($0)" })
        #expect(!viewer.tracker.book.breaks.contains { $0.name.text == "b" && $0.presence == .present })
    }
}

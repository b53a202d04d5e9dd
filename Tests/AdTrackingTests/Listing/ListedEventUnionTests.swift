import Ports
import Testing

@testable import AdTracking

/// Events over answers (PRV-9), and how many are kept.
@Suite struct ListedEventUnionTests {
    private static func event(_ name: String, _ urls: [String], statedOffset: Int32? = nil) -> ListedEvent {
        ListedEvent(name, statedOffset: statedOffset.map { ExactDecimal($0) }, urls: urls)
    }

    @Test func theSameEventGetsTheUnionOfTheURLs() {
        var events = [Self.event("start", ["a", "b"]), Self.event("pause", ["p"])]
        events.add([Self.event("start", ["b", "c"]), Self.event("resume", ["r"])], inLength: nil)
        #expect(events.map(\.urls) == [["a", "b", "c"], ["p"], ["r"]])
    }

    @Test func anEventThatSharesAURLMoved() {
        var events = [Self.event("progress", ["a"], statedOffset: 1), Self.event("progress", ["b"], statedOffset: 5)]
        events.add([Self.event("progress", ["b", "c"], statedOffset: 9), Self.event("start", ["a"])], inLength: nil)
        #expect(events.map(\.urls) == [["a"], ["b", "c"], ["a"]])
        #expect(events.map(\.statedOffset) == [ExactDecimal(1), ExactDecimal(9), nil])
    }

    /// Each answer has new tokens in its URLs; what it lists is kept, and of the rest the newest.
    @Test func theNewestURLsAreKept() {
        var events = [Self.event("start", ["fixed", "t0"])]
        for number in 1...3 * DecodedMetadata.urlsPerEvent {
            events.add([Self.event("start", ["fixed", "t\(number)"])], inLength: nil)
            #expect(events.first?.urls.suffix(1) == ["t\(number)"])
        }
        let tokens = (201...300).suffix(DecodedMetadata.urlsPerEvent - 1).map { "t\($0)" }
        #expect(events.map(\.urls) == [["fixed"] + tokens])
    }

    /// The event that each answer lists stays; of the others the oldest go.
    @Test func theNewestEventsAreKept() {
        var events = [Self.event("start", ["s"])]
        let count = Int32(2 * ListedAnswer.eventsPerAd)
        for number in 1...count {
            events.add(
                [Self.event("start", ["s"]), Self.event("progress", ["u\(number)"], statedOffset: number)],
                inLength: nil)
        }
        #expect(events.count == ListedAnswer.eventsPerAd && events.first?.name == "start")
        #expect(events[1].statedOffset == ExactDecimal(count - 498) && events.last?.statedOffset == ExactDecimal(count))
    }

    /// What it did before there were limits, on small random answers.
    @Test func theUnionIsThatOfEachEventInTurn() {
        let seed: UInt64 = 0x7E57_0003
        var random = SplitMix64(seed: seed)
        for round in 0..<300 {
            var (events, expected): ([ListedEvent], [ListedEvent]) = ([], [])
            let length = Bool.random(using: &random) ? ExactDecimal(8) : nil
            for _ in 0..<4 {
                let newer = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    Self.event(
                        ["start", "midpoint", "progress"].randomElement(using: &random) ?? "",
                        (0..<Int.random(in: 1...3, using: &random)).map { _ in
                            "u\(Int.random(in: 0..<6, using: &random))"
                        },
                        statedOffset: Bool.random(using: &random) ? Int32.random(in: 0..<5, using: &random) : nil)
                }
                events.add(newer, inLength: length)
                Self.add(newer, to: &expected, inLength: length)
                #expect(events == expected, "seed \(seed), round \(round)")
            }
        }
    }

    private static func add(_ newer: [ListedEvent], to events: inout [ListedEvent], inLength length: ExactDecimal?) {
        for event in newer {
            let same = events.firstIndex { $0.isSame(as: event, inLength: length) }
            let moved = events.firstIndex { $0.name == event.name && $0.urls.contains(where: event.urls.contains) }
            guard let index = same ?? moved else {
                events.append(event)
                continue
            }
            events[index].urls += event.urls.filter { [urls = events[index].urls] in !urls.contains($0) }
            events[index].statedOffset = event.statedOffset ?? events[index].statedOffset
            events[index].window = event.window ?? events[index].window
            events[index].isReportedByService = event.isReportedByService
        }
    }
}

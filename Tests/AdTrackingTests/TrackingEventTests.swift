import Ports
import Testing

@testable import AdTracking

/// What hardly any event has is kept apart from the rest of it.
@Suite struct TrackingEventTests {
    private static let plain = TrackingEvent(type: .start, start: UnixTime(milliseconds: 1_000))

    @Test func itHasTheNameOfItsType() {
        let named = TrackingEvent(type: .start, rawName: "start", start: UnixTime(milliseconds: 1_000))
        #expect(named == Self.plain)
        #expect(named.rawName == "start")
    }

    @Test func itKeepsTheSpellingOfItsDocument() {
        var event = TrackingEvent(type: .start, rawName: "Start", start: UnixTime(milliseconds: 1_000))
        #expect(event.rawName == "Start")
        #expect(event != Self.plain)
        event.rawName = "start"
        #expect(event == Self.plain)
        event.rawName = "Start"
        #expect(event.rawName == "Start")
    }

    @Test func whatIsTakenBackLeavesNoTrace() {
        var event = Self.plain
        event.sharedURLs = ["https://t.example/start"]
        event.extras.append("offset", "10%")
        #expect(event.sharedURLs == ["https://t.example/start"])
        #expect(event.extras["offset"] == "10%")
        #expect(event.rawName == "start")
        #expect(event != Self.plain)
        event.sharedURLs = []
        event.extras = JSONObject()
        #expect(event == Self.plain)
        #expect(Set([event, Self.plain]).count == 1)
    }
}

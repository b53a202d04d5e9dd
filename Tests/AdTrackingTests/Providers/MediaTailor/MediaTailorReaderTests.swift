import Ports
import Testing

@testable import AdTracking

/// Where avails without times of their own are (PRV-23); the conformance vectors have whole sessions.
@Suite struct MediaTailorReaderTests {
    private static func breaks(_ avail: String) throws -> (starts: [String], rules: [String]) {
        let text = #"{"avails":[{"availId":"v",\#(avail)}]}"#
        let answer = try MediaTailorDocument.read(Array(text.utf8), .client).answer
        return (answer.breaks.map(\.start.text), answer.findings.map(\.rule).filter { $0.hasPrefix("P0") })
    }

    private static let date = "2027-01-15T08:00:00Z"

    /// The first ad that has a time counts; where none has one, the first date does.
    @Test(arguments: [
        (#""ads":[{"adId":"a","duration":5},{"adId":"b","startTimeInSeconds":65,"durationInSeconds":5}]"#, "65"),
        (#""ads":[{"adId":"a","startTime":"PT1M","durationInSeconds":5}]"#, "60"),
        (#""availProgramDateTime":"\#(date)","ads":[]"#, "1800000000"),
        (#""ads":[{"adId":"a","durationInSeconds":5,"adProgramDateTime":"\#(date)"}]"#, "1800000000"),
    ])
    func anAvailWithoutAStartHasThatOfItsAds(_ avail: String, _ start: String) throws {
        let found = try Self.breaks(avail)
        #expect(found.starts == [start])
        #expect(found.rules == (start.count < 3 ? ["P02"] : []))
    }

    /// Second 0 is a time only with a text that is one: an event at the start of the session has both.
    @Test(
        arguments: [
            (#""startTimeInSeconds":0"#, nil), (#""startTime":null,"startTimeInSeconds":0"#, nil),
            (#""startTime":"","startTimeInSeconds":0"#, nil), (#""startTime":"PT","startTimeInSeconds":"0.0""#, nil),
            (#""startTime":"PT0S","startTimeInSeconds":0"#, "0"), (#""startTime":"PT0S""#, "0"),
            (#""startTime":"","startTimeInSeconds":"7.5""#, "7.5"),
        ] as [(String, String?)])
    func anEventWithoutATimeIsListedAtSecondZero(_ times: String, _ stated: String?) throws {
        let event = #"{"eventType":"midpoint","beaconUrls":["https://t.example/m"],\#(times)}"#
        let ad = #"{"adId":"a","startTimeInSeconds":0,"durationInSeconds":15,"trackingEvents":[\#(event)]}"#
        let text = #"{"avails":[{"availId":"v","startTimeInSeconds":0,"ads":[\#(ad)]}]}"#
        let answer = try MediaTailorDocument.read(Array(text.utf8), .client).answer
        #expect(answer.breaks.flatMap(\.ads).flatMap(\.events).map(\.statedOffset?.text) == [stated])
    }

    /// The finding has the value that is no time.
    @Test(arguments: [
        (#""x":1"#, "has no start"),
        (#""startTimeInSeconds":null,"startTime":"PT""#, #"has the start "PT", which is no time"#),
        (#""startTimeInSeconds":-1"#, "has the start -1, which is no time"),
    ]) func theFindingHasWhatIsNoStart(_ start: String, _ lack: String) throws {
        func message(_ ads: String) throws -> String? {
            let text = #"{"avails":[{"availId":"v",\#(start),"ads":[\#(ads)]}]}"#
            return try MediaTailorDocument.read(Array(text.utf8), .client).answer.findings.first?.message
        }
        let ad = #"{"adId":"a","startTimeInSeconds":60,"durationInSeconds":5}"#
        #expect(try message(ad) == "the avail \(lack): that of its first ad is used")
        #expect(try message("") == "the avail \(lack), and has no date: it is ignored")
    }

    @Test func withoutAnyTimeItIsIgnored() throws {
        let found = try Self.breaks(#""ads":[{"adId":"a","durationInSeconds":5,"startTimeInSeconds":-1}]"#)
        #expect(found.starts == [] && found.rules == ["P01"])
    }
}

import Testing

@testable import Ports

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("4s", Duration.seconds(4)), ("500ms", .milliseconds(500)), ("2h", .seconds(7_200)), ("1m30s", .seconds(90)),
        ("-30s", .seconds(-30)), ("+5", .seconds(5)), ("1.5s", .milliseconds(1_500)), ("0", .zero),
        ("90m", .seconds(5_400)),
    ])
    func reads(text: String, duration: Duration) throws {
        #expect(try Duration(text: text) == duration)
    }

    @Test(arguments: ["", "-", "s", "4x", "4 s", "1..2s", "4s-3s", "1e9s", "99999999999h", "∞"])
    func refuses(text: String) {
        #expect(throws: Duration.TextProblem.self) { try Duration(text: text) }
    }

    @Test(arguments: [
        (Duration.seconds(4), "4s"), (.milliseconds(500), "500ms"), (.seconds(7_200), "2h"), (.seconds(5_400), "1h30m"),
        (.milliseconds(-1_500), "-1.5s"), (.zero, "0s"), (.milliseconds(61_050), "1m1.05s"),
    ])
    func writes(duration: Duration, text: String) throws {
        #expect(duration.text == text)
        #expect(try Duration(text: text) == duration)
    }
}

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

    @Test(
        arguments: [
            (-50, "0.0"), (-40, "0.0"), (50, "0.0"), (949, "0.9"), (950, "0.9"), (-949, "-0.9"), (-1_050, "-1.0"),
            (11_850, "11.8"), (3_600_000, "3,600.0"), (-10_800_000, "-10,800.0"),
        ] as [(Int64, String)])
    func tenthsAreCutTowardsZero(milliseconds: Int64, text: String) {
        #expect(Duration.milliseconds(milliseconds).tenthsText == text)
    }
}

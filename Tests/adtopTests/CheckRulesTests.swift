import ArgumentParser
import Testing

@testable import adtop

/// What `adtop check` compares, and what it does not pass without a comparison.
struct CheckRulesTests {
    private func outcomes(_ options: [String], _ file: String) throws -> [CheckRules.Outcome] {
        let rules = try CheckRules(try CheckCommand.parse(["f"] + options))
        return try rules.outcomes(CheckedFile(Array(file.utf8), place: "f"))
    }

    @Test(arguments: [
        (["--badv", "casino.example"], #"{"adomain":["a.casino.example"]}"#, "a.casino.example"),
        (["--badv", " , casino.example"], #"{"adomain":["a.casino.example"]}"#, "a.casino.example"),
        (["--bcat", "IAB8, IAB9"], #"{"cat":["IAB9-7"]}"#, "IAB9-7"),
        (["--battr", "1, 3"], #"{"attr":[2,3]}"#, "3"),
        (["--bapp", "com.a, com.b"], #"{"bundle":"com.b"}"#, "com.b"),
        (["--languages", "de, en"], #"{"language":"fr"}"#, "fr"),
        (["--size", "320x50, 300x250"], #"{"w":728,"h":90}"#, "728x90"),
        (["--duration", "5-30"], #"{"dur":45}"#, "45 s"),
        (["--secure"], #"{"adm":"<img src='http://a.example/'>"}"#, "loads over http only"),
        (["--secure"], "<img src='http://a.example/'>", "loads over http only"),
    ])
    func namesWhatIsBlocked(options: [String], file: String, offender: String) throws {
        let outcomes = try outcomes(options, file)
        #expect(outcomes.map(\.offender) == [offender] && outcomes.map(\.missing) == [nil])
    }

    /// A check passes for a bid without the member, and names it.
    @Test(arguments: [
        (["--badv", "a"], "adomain"), (["--bcat", "a"], "cat"), (["--battr", "1"], "attr"),
        (["--bapp", "a"], "bundle"), (["--languages", "a"], "language"), (["--size", "1x1"], "w and h"),
        (["--duration", "1-2"], "dur"),
        (["--secure"], "adm"),
    ])
    func namesWhatTheBidDoesNotHave(options: [String], member: String) throws {
        for file in ["{}", "{\"\(member)\":null}"] {
            let outcomes = try outcomes(options, file)
            #expect(outcomes.map(\.missing) == [member] && outcomes.map(\.offender) == [nil])
        }
    }

    /// A member of another type than OpenRTB specifies is not compared, so the check must not pass.
    @Test(arguments: [
        (["--badv", "casino.example"], #"{"adomain":"casino.example"}"#, "adomain: not an array of strings"),
        (["--badv", "a"], #"{"adomain":["a",1]}"#, "adomain: not an array of strings"),
        (["--bcat", "a"], #"{"cat":{}}"#, "cat: not an array of strings"),
        (["--battr", "1"], #"{"attr":["1"]}"#, "attr: not an array of integers"),
        (["--bapp", "a"], #"{"bundle":1}"#, "bundle: not a string"),
        (["--languages", "a"], #"{"language":["b"]}"#, "language: not a string"),
        (["--size", "1x1"], #"{"w":"2","h":2}"#, "w: not an integer"),
        (["--duration", "1-2"], #"{"dur":"3"}"#, "dur: not an integer"),
        (["--secure"], #"{"adm":{}}"#, "adm: not a string"),
    ])
    func anotherTypeIsAnError(options: [String], file: String, message: String) {
        let failure = CommandFailure(.unreadable, "f: \(message), so it cannot be checked; correct the bid")
        #expect(throws: failure) { try outcomes(options, file) }
    }

    @Test(arguments: [
        (#"{"id":"1","seatbid":[{"bid":[{"adomain":["casino.example"]}]}]}"#, "response"),
        (#"{"id":"1","nbr":2}"#, "response"), (#"{"id":"1","imp":[]}"#, "request"),
    ])
    func onlyABidIsChecked(file: String, kind: String) {
        let failure = CommandFailure(
            .unreadable, "f: is a bid \(kind); give one bid, an element of seatbid[].bid")
        #expect(throws: failure) { try outcomes(["--badv", "casino.example"], file) }
    }

    @Test(
        arguments: [
            (["--badv", ""], "--badv: '' is not a comma-separated list of values"),
            (["--bapp", ",,"], "--bapp: ',,' is not a comma-separated list of values"),
            (["--bcat", " "], "--bcat: ' ' is not a comma-separated list of values"),
            (["--battr", "x"], "--battr: 'x' is not a comma-separated list of numbers"),
            (["--size", "wide"], "--size: 'wide' is not a comma-separated list of sizes such as 320x50"),
            (["--duration", "9"], "--duration: '9' is not a range of seconds such as 5-30"),
            (
                ["--badv", "a", "--secure"],
                "--badv: applies only to a bid, and the file is markup; give a bid, or only --secure"
            ),
            ([], "no check: give --badv, --bcat, --battr, --bapp, --languages, --size, --duration or --secure"),
        ] as [([String], String)])
    func optionsWithoutAnEffectAreRejected(options: [String], message: String) {
        #expect(throws: CommandFailure(.usage, message)) { try outcomes(options, "<b>") }
    }
}

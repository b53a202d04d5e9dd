import Ports
import Testing

@testable import VAST

@Suite struct AdDefectTests {
    private static let files = "<MediaFiles><MediaFile>https://c.example.test/</MediaFile></MediaFiles>"
    private static let playable = "<Creative><Linear><Duration>00:00:15</Duration>\(files)</Linear></Creative>"

    private func ad(_ id: String, _ creatives: String = Self.playable, sequence: Int? = nil) -> String {
        """
        <Ad id="\(id)"\(sequence.map { " sequence=\"\($0)\"" } ?? "")><InLine><Error>https://t.example.test/\(id)?[ERRORCODE]</Error>
        <Creatives>\(creatives)</Creatives></InLine></Ad>
        """
    }

    /// The result of a tag that answers with these ads; behind a wrapper only one of them may play.
    private func result(_ ads: String, isBehindWrapper: Bool) -> ResolutionResult {
        func body(_ ads: String) -> TagAnswer { .body(Array("<VAST version=\"4.2\">\(ads)</VAST>".utf8), url: "") }
        var machine = WrapperResolution(tag: "https://a.example.test/", values: MacroValues(), seed: 7)
        var open = machine.start()
        if isBehindWrapper {
            let wrapper = """
                <Ad id="w"><Wrapper><Error>https://t.example.test/w?[ERRORCODE]</Error>
                <VASTAdTagURI>https://b.example.test/</VASTAdTagURI></Wrapper></Ad>
                """
            open = machine.answered(0, with: body(wrapper))
        }
        for fetch in open { _ = machine.answered(fetch.id, with: body(ads)) }
        #expect(machine.isFinished)
        return machine.result
    }

    /// Creatives, and whether some player could play them.
    private static let cases: [(String, Bool)] = [
        ("", false), ("<Creative/>", false), ("<Creative><Linear/></Creative>", false),
        ("<Creative><Linear>\(files)</Linear></Creative>", false),
        ("<Creative><Linear><Duration>15 s</Duration>\(files)</Linear></Creative>", false),
        ("<Creative><Linear><Duration>00:00:00</Duration>\(files)</Linear></Creative>", false),
        ("<Creative><Linear><Duration>00:00:15</Duration></Linear></Creative>", false),
        ("<Creative><Linear><Duration>00:00:15</Duration><MediaFiles/></Linear></Creative>", false),
        (playable, true),
        (playable.replacing("MediaFile>", with: "Mezzanine>"), true),
        (playable.replacing("MediaFile>", with: "InteractiveCreativeFile>"), true),
        ("<Creative><NonLinearAds><NonLinear/></NonLinearAds></Creative>", true),
        ("<Creative><CompanionAds><Companion/></CompanionAds></Creative>\(playable)", true),
    ]

    /// VAST 4.3 section 2.3.6.3: a mandatory element that is missing is error 101. The ad is lost while there are others in its place.
    @Test(arguments: cases)
    func anAdWithoutAMandatoryElementIsReplaced(creatives: String, isPlayable: Bool) {
        let result = result(ad("a", creatives) + ad("spare"), isBehindWrapper: true)
        #expect(result.ads.map(\.ad.id) == [isPlayable ? "a" : "spare"])
        let lost = ["https://t.example.test/w?101", "https://t.example.test/a?101"]
        #expect(result.pixels.map(\.url) == (isPlayable ? [] : lost))
    }

    @Test func anAdOfAPodWithoutAMandatoryElementIsReplaced() {
        let broken = ad("a", "<Creative><Linear/></Creative>", sequence: 1)
        let result = result(broken + ad("b", sequence: 2) + ad("spare"), isBehindWrapper: false)
        #expect(result.pod.map(\.ad.id) == ["spare", "b"] && result.pod.map(\.sequence) == [1, 2])
        #expect(result.standalone.isEmpty && result.pixels.map(\.url) == ["https://t.example.test/a?101"])
    }

    @Test func theDefectIsNamed() throws {
        let nothing = result(ad("a", "<Creative><Linear/></Creative>"), isBehindWrapper: true)
        #expect(nothing.failure?.message == "has no usable Duration" && nothing.failure?.code == 101)
        let text = "<Creative><Linear><Duration>00:00:15</Duration></Linear></Creative>"
        #expect(result(ad("a", text), isBehindWrapper: false).failure?.message == "has no MediaFile")
    }
}

import Ports
import Screen
import Testing

@testable import Terminal

@Suite struct InputDecoderTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let bytes: [UInt8]
        let events: [InputEvent]
        var testDescription: String { String(decoding: bytes, as: UTF8.self).debugDescription }

        init(_ text: String, _ events: InputEvent...) {
            self.init(Array(text.utf8), events)
        }

        init(_ bytes: [UInt8], _ events: [InputEvent]) {
            self.bytes = bytes
            self.events = events
        }
    }

    private static func key(_ key: Key, _ modifiers: Modifiers = []) -> InputEvent { .key(KeyPress(key, modifiers)) }

    private static func mouse(
        _ kind: MouseEvent.Kind, _ button: MouseEvent.Button, _ x: Int, _ y: Int, _ modifiers: Modifiers = []
    ) -> InputEvent {
        .mouse(MouseEvent(kind: kind, button: button, point: Point(x: x, y: y), modifiers: modifiers))
    }

    static let plain = [
        Case("a", key(.char("a"))), Case("G", key(.char("G"))), Case("/", key(.char("/"))), Case(" ", key(.char(" "))),
        Case("é", key(.char("é"))), Case("日", key(.char("日"))), Case("😀", key(.char("😀"))),
        Case("\r", key(.enter)), Case("\t", key(.tab)), Case("\u{7F}", key(.backspace)), Case("\u{8}", key(.backspace)),
        Case("\n", key(.char("j"), .control)), Case("\u{1}", key(.char("a"), .control)),
        Case("\u{1A}", key(.char("z"), .control)), Case("\u{0}", key(.char(" "), .control)),
        Case("\u{1F}", key(.char("_"), .control)), Case("\u{1D}", key(.char("]"), .control)),
    ]

    static let cursor = [
        Case("\u{1B}[A", key(.up)), Case("\u{1B}[B", key(.down)), Case("\u{1B}[C", key(.right)),
        Case("\u{1B}[D", key(.left)),
        Case("\u{1B}OA", key(.up)), Case("\u{1B}OD", key(.left)), Case("\u{1B}[H", key(.home)),
        Case("\u{1B}[F", key(.end)),
        Case("\u{1B}OH", key(.home)), Case("\u{1B}OF", key(.end)), Case("\u{1B}[1~", key(.home)),
        Case("\u{1B}[4~", key(.end)),
        Case("\u{1B}[7~", key(.home)), Case("\u{1B}[8~", key(.end)), Case("\u{1B}[2~", key(.insert)),
        Case("\u{1B}[3~", key(.delete)), Case("\u{1B}[5~", key(.pageUp)), Case("\u{1B}[6~", key(.pageDown)),
        Case("\u{1B}[Z", key(.backTab)), Case("\u{1B}OM", key(.enter)), Case("\u{1B}Oy", key(.char("9"))),
        Case("\u{1B}Oj", key(.char("*"))),
    ]

    static let modified = [
        Case("\u{1B}[1;2A", key(.up, .shift)), Case("\u{1B}[1;5C", key(.right, .control)),
        Case("\u{1B}[1;3D", key(.left, .meta)), Case("\u{1B}[1;8B", key(.down, [.shift, .meta, .control])),
        Case("\u{1B}[3;5~", key(.delete, .control)), Case("\u{1B}[1;5P", key(.f(1), .control)),
        Case("\u{1B}O5P", key(.f(1), .control)), Case("\u{1B}[1;129A", key(.up)),
        Case("\u{1B}[a", key(.up, .shift)), Case("\u{1B}Oa", key(.up, .control)),
        Case("\u{1B}[5^", key(.pageUp, .control)),
        Case("\u{1B}[5@", key(.pageUp, [.shift, .control])), Case("\u{1B}[1;33A", key(.up, .meta)),
        // Super and Hyper are not among our modifiers: the key is dropped, Cmd-Q is not q.
        Case("\u{1B}[1;9A"), Case("\u{1B}[113;9u"), Case("\u{1B}[1;17A"),
    ]

    static let functionKeys = [
        Case("\u{1B}OP", key(.f(1))), Case("\u{1B}[11~", key(.f(1))), Case("\u{1B}[[A", key(.f(1))),
        Case("\u{1B}[[E", key(.f(5))), Case("\u{1B}[15~", key(.f(5))), Case("\u{1B}[17~", key(.f(6))),
        Case("\u{1B}[24~", key(.f(12))), Case("\u{1B}[34~", key(.f(20))), Case("\u{1B}[57376u", key(.f(13))),
        Case("\u{1B}[23;2~", key(.f(11), .shift)),
    ]

    static let coded = [
        Case("\u{1B}[27u", key(.escape)), Case("\u{1B}[13u", key(.enter)), Case("\u{1B}[9;2u", key(.backTab)),
        Case("\u{1B}[97u", key(.char("a"))), Case("\u{1B}[97;5u", key(.char("a"), .control)),
        Case("\u{1B}[97;2u", key(.char("A"))), Case("\u{1B}[97:65;2u", key(.char("A"))),
        Case("\u{1B}[49:33;2u", key(.char("!"))), Case("\u{1B}[97;3u", key(.char("a"), .meta)),
        Case("\u{1B}[27;5;106~", key(.char("j"), .control)), Case("\u{1B}[127;5u", key(.backspace, .control)),
        Case("\u{1B}[57399u", key(.char("0"))), Case("\u{1B}[57414u", key(.enter)),
        Case("\u{1B}[97;1:2u", key(.char("a"))),
        // Key releases, lone modifiers, media keys, numbers that are not scalars.
        Case("\u{1B}[97;1:3u"), Case("\u{1B}[57441u"), Case("\u{1B}[55296u"), Case("\u{1B}[99999999999u"),
        Case("\u{1B}[u"),
        Case("\u{1B}[1u"),
    ]

    static let alt = [
        Case("\u{1B}x", key(.char("x"), .meta)), Case("\u{1B}A", key(.char("A"), .meta)),
        Case("\u{1B}é", key(.char("é"), .meta)),
        Case("\u{1B}\r", key(.enter, .meta)), Case("\u{1B}\u{7F}", key(.backspace, .meta)),
        Case("\u{1B}\u{1}", key(.char("a"), [.control, .meta])), Case("\u{1B}\u{1B}[A", key(.up, .meta)),
        Case("\u{1B}\u{1B}OA", key(.up, .meta)), Case("\u{1B}\u{1B}x", key(.escape), key(.char("x"), .meta)),
    ]

    static let mouseReports = [
        Case("\u{1B}[<0;1;1M", mouse(.press, .left, 0, 0)), Case("\u{1B}[<0;240;60m", mouse(.release, .left, 239, 59)),
        Case("\u{1B}[<1;5;6M", mouse(.press, .middle, 4, 5)), Case("\u{1B}[<2;5;6M", mouse(.press, .right, 4, 5)),
        Case("\u{1B}[<32;5;6M", mouse(.drag, .left, 4, 5)), Case("\u{1B}[<35;5;6M", mouse(.drag, .none, 4, 5)),
        Case("\u{1B}[<64;5;6M", mouse(.wheelUp, .none, 4, 5)), Case("\u{1B}[<65;5;6M", mouse(.wheelDown, .none, 4, 5)),
        Case("\u{1B}[<20;5;6M", mouse(.press, .left, 4, 5, [.shift, .control])),
        Case("\u{1B}[<8;5;6M", mouse(.press, .left, 4, 5, .meta)),
        Case("\u{1B}[M !!", mouse(.press, .left, 0, 0)), Case("\u{1B}[M#%&", mouse(.release, .none, 4, 5)),
        Case("\u{1B}[M`%&", mouse(.wheelUp, .none, 4, 5)),
        // Sideways wheel, extra buttons, positions that do not exist.
        Case("\u{1B}[<66;5;6M"), Case("\u{1B}[<128;5;6M"), Case("\u{1B}[<0;0;1M"), Case("\u{1B}[<0;99999;1M"),
        Case("\u{1B}[<0;1M"),
    ]

    static let others = [
        Case("\u{1B}[I", .focus(true)), Case("\u{1B}[O", .focus(false)),
        Case("\u{1B}[200~two\nlines\u{1B}[201~", .paste("two\nlines")), Case("\u{1B}[200~\u{1B}[201~", .paste("")),
        Case("\u{1B}[200~a\u{1B}[20\u{1B}[201~", .paste("a\u{1B}[20")),
        Case("\u{1B}[200~\u{1B}\u{1B}[201~", .paste("\u{1B}")),
    ]

    /// No byte of an unknown sequence may act as a key.
    static let dropped = [
        Case("\u{1B}[?2026;2$yj", key(.char("j"))), Case("\u{1B}[?62;4cj", key(.char("j"))),
        Case("\u{1B}[12;40Rj", key(.char("j"))),
        Case("\u{1B}[>0;276;0cj", key(.char("j"))), Case("\u{1B}[99~j", key(.char("j"))),
        Case("\u{1B}[1;2;3zj", key(.char("j"))),
        Case("\u{1B}]10;rgb:0000/0000/0000\u{7}j", key(.char("j"))), Case("\u{1B}]52;c;cQ==\u{1B}\\j", key(.char("j"))),
        Case("\u{1B}P1$r0m\u{1B}\\j", key(.char("j"))), Case("\u{1B}_Gi=1;OK\u{1B}\\j", key(.char("j"))),
        Case("\u{1B}]0;q\u{18}j", key(.char("j"))), Case("\u{1B}]0;q\u{1B}[Aj", key(.up), key(.char("j"))),
        Case("\u{1B}[1;\u{1B}[Aj", key(.up), key(.char("j"))), Case("\u{1B}[1;\u{3}j", key(.char("j"))),
        Case("\u{1B}[[Zj", key(.char("j"))), Case("\u{1B}OEj", key(.char("j"))),
        Case("\u{1B}[" + String(repeating: "1;", count: 200) + "Aj", key(.char("j"))),
        Case([0xC3, 0x28], [key(.char("("))]), Case([0xFF, 0x6A], [key(.char("j"))]),
        Case([0x80, 0x6A], [key(.char("j"))]),
        Case([0xED, 0xA0, 0x80, 0x6A], [key(.char("j"))]), Case([0xC2, 0x9B, 0x6A], [key(.char("j"))]),
    ]

    /// Answers to OSC 11, between keys: each terminal has its own number of digits and its own end.
    static let background = [
        Case("j\u{1B}]11;rgb:ffff/ffff/ffff\u{7}k", key(.char("j")), .background(isLight: true), key(.char("k"))),
        Case("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\", .background(isLight: false)),
        Case("\u{1B}]11;rgb:fb/f8/f0\u{7}", .background(isLight: true)),
        Case("\u{1B}]11;rgb:0/0/f\u{7}", .background(isLight: false)),
        Case("\u{1B}]11;rgba:1c1c/1c1c/1c1c/ffff\u{7}", .background(isLight: false)),
        Case("\u{1B}]11;rgb:fdf6/e3e3\u{7}"), Case("\u{1B}]11;rgb:+1/+1/+1\u{7}"), Case("\u{1B}]11;rgb:12345/0/0\u{7}"),
        Case("\u{1B}]10;rgb:ffff/ffff/ffff\u{7}"), Case("\u{1B}P11;rgb:ffff/ffff/ffff\u{1B}\\"),
        Case("\u{1B}]11;rgb:ffff/ffff/ffff" + String(repeating: "f", count: 80) + "\u{7}j", key(.char("j"))),
    ]

    static let all =
        background + plain + cursor + modified + functionKeys + coded + alt + mouseReports + others + dropped

    @Test(arguments: all) func aSequenceGivesItsEvents(_ item: Case) {
        var decoder = InputDecoder()
        #expect(decoder.feed(item.bytes, at: .zero) == item.events)
        #expect(decoder.deadline == nil)
    }

    @Test(arguments: all) func theCutsBetweenReadsDoNotMatter(_ item: Case) {
        for cut in 0...item.bytes.count {
            var decoder = InputDecoder()
            let events =
                decoder.feed(item.bytes[..<cut], at: .zero) + decoder.feed(item.bytes[cut...], at: .milliseconds(10))
            #expect(events == item.events, "cut at \(cut)")
        }
        var decoder = InputDecoder()
        #expect(item.bytes.flatMap { decoder.feed([$0], at: .zero) } == item.events)
    }

    @Test func aStreamOfEverythingDecodesLikeItsParts() {
        var random = SplitMix64(seed: 7)
        let items = Self.all.shuffled(using: &random)
        var decoder = InputDecoder()
        let events = decoder.feed(items.flatMap(\.bytes), at: .zero)
        #expect(events == items.flatMap(\.events))
    }

    @Test func aLoneEscapeIsAKeyAfterItsTime() {
        var decoder = InputDecoder()
        #expect(decoder.feed([0x1B], at: .seconds(1)) == [])
        #expect(decoder.deadline == .seconds(1) + InputDecoder.escapeTimeout)
        #expect(decoder.expire(at: .seconds(1)) == [])
        #expect(decoder.expire(at: .seconds(1) + InputDecoder.escapeTimeout) == [Self.key(.escape)])
        #expect(decoder.deadline == nil)
        #expect(decoder.feed(Array("[A".utf8), at: .seconds(2)) == [Self.key(.char("[")), Self.key(.char("A"))])
    }

    @Test(arguments: [
        ("\u{1B}[", [key(.char("["), .meta)]), ("\u{1B}O", [key(.char("O"), .meta)]),
        ("\u{1B}]", [key(.char("]"), .meta)]),
        ("\u{1B}\u{1B}", [key(.escape), key(.escape)]), ("\u{1B}\u{1B}[", [key(.escape), key(.char("["), .meta)]),
    ])
    func whatMayBeAChordIsOneAfterItsTime(text: String, events: [InputEvent]) {
        var decoder = InputDecoder()
        #expect(decoder.feed(Array(text.utf8), at: .zero) == [])
        #expect(decoder.expire(at: InputDecoder.escapeTimeout) == events)
    }

    @Test(arguments: [
        "\u{1B}[1;", "\u{1B}[<0;12", "\u{1B}[M!", "\u{1B}]0;title", "\u{1B}[" + String(repeating: "1", count: 80),
    ])
    func aCutSequenceIsDroppedWholeAfterALongerTime(text: String) {
        var decoder = InputDecoder()
        #expect(decoder.feed(Array(text.utf8), at: .zero) == [])
        #expect(decoder.expire(at: InputDecoder.escapeTimeout) == [])
        #expect(decoder.expire(at: InputDecoder.sequenceTimeout) == [])
        #expect(decoder.feed([UInt8(ascii: "j")], at: .seconds(2)) == [Self.key(.char("j"))])
    }

    @Test func aCutCharacterIsDropped() {
        var decoder = InputDecoder()
        #expect(decoder.feed([0xE6, 0x97], at: .zero) == [])
        #expect(decoder.expire(at: InputDecoder.sequenceTimeout) == [])
        #expect(decoder.feed([UInt8(ascii: "j")], at: .seconds(2)) == [Self.key(.char("j"))])
    }

    @Test func aPasteWithoutEndEndsByTime() {
        var decoder = InputDecoder()
        #expect(decoder.feed(Array("\u{1B}[200~half".utf8), at: .zero) == [])
        #expect(decoder.expire(at: InputDecoder.sequenceTimeout) == [])
        #expect(decoder.expire(at: InputDecoder.pasteTimeout) == [.paste("half")])
    }

    @Test func aPasteIsBounded() {
        var decoder = InputDecoder()
        let text = Array(repeating: UInt8(ascii: "a"), count: PasteBuffer.limit + 1000)
        let events = decoder.feed(Array("\u{1B}[200~".utf8) + text + Array("\u{1B}[201~j".utf8), at: .zero)
        #expect(events == [.paste(String(repeating: "a", count: PasteBuffer.limit)), Self.key(.char("j"))])
    }

    @Test func garbageNeverTrapsAndNeverStaysPending() {
        let seed: UInt64 = 20_241_121
        var random = SplitMix64(seed: seed)
        let alphabet =
            Array("\u{1B}\u{1B}\u{1B}[[O]P<;:?$~0129MmuIAZ\u{7}\\".utf8) + [0x00, 0x18, 0x80, 0xC3, 0xE6, 0xF0, 0xFF]
        for _ in 0..<2_000 {
            var decoder = InputDecoder()
            let count = Int.random(in: 0..<200, using: &random)
            let bytes = (0..<count).map { _ in
                Bool.random(using: &random)
                    ? alphabet.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
            }
            let whole = decoder.feed(bytes, at: .zero)
            #expect(whole.count <= bytes.count, "seed \(seed)")
            var split = InputDecoder()
            let parts = bytes.flatMap { split.feed([$0], at: .zero) }
            #expect(parts == whole, "seed \(seed), bytes \(bytes)")
            _ = decoder.expire(at: .seconds(60))
            #expect(decoder.deadline == nil, "seed \(seed)")
        }
    }
}

@Suite struct TerminfoKeysTests {
    private func keys(_ table: [String: String]) -> TerminfoKeys {
        TerminfoKeys { name in table[name].map { Array($0.utf8) } }
    }

    @Test func whatTheDecoderKnowsIsNotKept() {
        #expect(keys(["kcuu1": "\u{1B}OA", "kcud1": "\u{1B}[B", "kf1": "\u{1B}OP", "kbs": "\u{7F}"]) == .none)
    }

    @Test func anOddTerminalsKeysWork() {
        var decoder = InputDecoder(
            seeds: keys(["kcuu1": "\u{1B}A", "kf1": "\u{1B}[M", "kpp": "\u{1B}[I", "kDC": "\u{1B}[3$"]))
        let events = decoder.feed(Array("\u{1B}A\u{1B}[M\u{1B}[I\u{1B}[3$j".utf8), at: .zero)
        let expected: [KeyPress] = [
            KeyPress(.up), KeyPress(.f(1)), KeyPress(.pageUp), KeyPress(.delete, .shift), KeyPress(.char("j")),
        ]
        #expect(events == expected.map { .key($0) })
    }

    @Test func seededKeysSurviveCuts() {
        let seeds = keys(["kcuu1": "\u{1B}A", "kDC": "\u{1B}[3$"])
        var decoder = InputDecoder(seeds: seeds)
        #expect(
            Array("\u{1B}[3$\u{1B}A".utf8).flatMap { decoder.feed([$0], at: .zero) }
                == [.key(KeyPress(.delete, .shift)), .key(KeyPress(.up))])
    }

    @Test func controlBytesAndLongStringsAreNoSeeds() {
        #expect(keys(["kcub1": "\u{8}", "kf1": "\u{1B}" + String(repeating: "x", count: 40)]) == .none)
    }
}

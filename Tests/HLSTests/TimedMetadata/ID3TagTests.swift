import Testing

@testable import HLS

/// ID3 tags of versions 2.3 and 2.4.
@Suite struct ID3TagTests {
    private static func frames(_ bytes: [UInt8]) -> [String]? {
        ID3Tag(bytes[...])?.frames.map { "\($0.id) '\($0.description)' '\($0.text)'" }
    }

    @Test(
        arguments: [
            ([3] + Array("d\0googlé".utf8), "TXXX 'd' 'googlé'"), ([0] + Array("d\0".utf8) + [0xE9], "TXXX 'd' 'é'"),
            ([1, 0xFF, 0xFE, 0x64, 0, 0, 0, 0xFF, 0xFE, 0x67, 0], "TXXX 'd' 'g'"),
            ([2, 0, 0x64, 0, 0, 0, 0x67, 0, 0], "TXXX 'd' 'g'"), ([3, 0], "TXXX '' ''"), ([9, 0, 0x67], "TXXX '' ''"),
        ] as [([UInt8], String)])
    func textsAreReadInTheirEncoding(_ content: [UInt8], _ expected: String) {
        #expect(Self.frames(MediaBytes.tag(MediaBytes.frame("TXXX", content))) == [expected])
    }

    @Test func version3HasPlainSizesAndUnsynchronisesTheWhole() {
        let long = [UInt8](repeating: 0x61, count: 200)
        let frame = MediaBytes.frame("TXXX", [3, 0] + long, version: 3)
        #expect(ID3Tag(MediaBytes.tag(frame, version: 3)[...])?.frames.first?.text.count == 200)
        let data = MediaBytes.frame("PRIV", Array("o".utf8) + [0, 0xFF, 0xE0], version: 3)
        let spread = data.flatMap { $0 == 0xFF ? [0xFF, 0x00] : [$0] }
        let tag = ID3Tag(MediaBytes.tag(spread, version: 3, flags: 0x80)[...])
        #expect(tag?.frames.first?.description == "o" && tag?.frames.first?.content == [0xFF, 0xE0])
    }

    /// Some writers of version 2.4 write the lengths of frames as version 2.3 does.
    @Test(arguments: [100, 126, 200, 254, 300, 1_000]) func plainSizesInVersion4AreRead(length: Int) {
        let text = [3, 0] + [UInt8](repeating: 0x61, count: length - 2)
        for version: UInt8 in [3, 4] {
            let frames = MediaBytes.frame("TXXX", text, version: version) + MediaBytes.frame("TXXX", [3, 0, 0x62])
            let tag = ID3Tag(MediaBytes.tag(frames)[...])
            #expect(tag?.frames.map(\.text.count) == [length - 2, 1])
        }
    }

    /// The header may stand behind the frames again; the next tag follows it.
    @Test func aFooterBelongsToTheTag() {
        let frames = MediaBytes.frame("TXXX", [3, 0, 0x61])
        let tag = MediaBytes.tag(frames, flags: 0x10)
        let footer = Array("3DI".utf8) + tag[3..<10]
        #expect(ID3Tag((tag + footer)[...])?.byteCount == tag.count + 10)
        let bytes = tag + footer + MediaBytes.text("b") + MediaBytes.adts([1, 2])
        #expect(SegmentMetadata.read(bytes).flatMap(\.texts) == ["a", "b"])
    }

    @Test func flagsOfFramesAreObeyed() {
        let text = [3, 0] + Array("x".utf8)
        let frames =
            MediaBytes.frame("TXXX", text, flags: [0, 0x08]) + MediaBytes.frame("TXXX", text, flags: [0, 0x04])
            + MediaBytes.frame("TXXX", [0x01, 0, 0, 0, 3] + text, flags: [0, 0x41])
            + MediaBytes.frame("PRIV", [0x6F, 0, 0xFF, 0x00, 0xE0], flags: [0, 0x02])
        let tag = ID3Tag(MediaBytes.tag(frames)[...])
        #expect(tag?.frames.map(\.text) == ["x", ""] && tag?.frames.last?.content == [0xFF, 0xE0])
        let extended = MediaBytes.synchsafe(6) + [1, 0] + MediaBytes.frame("TXXX", text)
        #expect(Self.frames(MediaBytes.tag(extended, flags: 0x40)) == ["TXXX '' 'x'"])
    }

    @Test func whatIsCutIsNone() {
        let tag = MediaBytes.text("google_1")
        for length in 0..<tag.count { #expect(ID3Tag(tag[..<length]) == nil) }
        #expect(ID3Tag((tag + [1, 2])[...])?.byteCount == tag.count)
        for (index, byte) in [(0, UInt8(0)), (3, 2), (3, 5), (6, 0x80)] {
            var other = tag
            other[index] = byte
            #expect(ID3Tag(other[...]) == nil)
        }
    }

    @Test func framesAreBounded() {
        let frame = MediaBytes.frame("TXXX", [3, 0, 0x61])
        let tag = MediaBytes.tag((0..<500).flatMap { _ in frame })
        #expect(ID3Tag(tag[...])?.frames.count == ID3Tag.frameLimit)
        #expect(ID3Tag(MediaBytes.tag([UInt8](repeating: 0, count: ID3Tag.byteLimit + 1))[...]) == nil)
    }
}

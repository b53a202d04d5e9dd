import Testing

@testable import adtop

@Suite struct ArgumentBytesTests {
    @Test func textIsAnArgument() {
        #expect(ArgumentBytes.failure(in: []) == nil)
        #expect(ArgumentBytes.failure(in: [Array("hls".utf8), [], Array("café 日本 📺.m3u8".utf8)]) == nil)
    }

    /// Latin-1, a sequence that is cut, an encoded surrogate, and a byte that UTF-8 never has.
    @Test(
        arguments: [
            ([0x63, 0x61, 0x66, 0xE9, 0x2E, 0x78, 0x6D, 0x6C], "caf\\xE9.xml", 4),
            ([0xC3], "\\xC3", 1),
            ([0x61, 0xED, 0xA0, 0x80], "a\\xED\\xA0\\x80", 2),
            ([0xC3, 0xA9, 0xFF, 0x0A, 0x07], "é\\xFF\n\u{7}", 3),
        ] as [([UInt8], String, Int)])
    func otherBytesAreShown(_ bytes: [UInt8], _ shown: String, _ place: Int) {
        let failure = ArgumentBytes.failure(in: [Array("hls".utf8), Array("parse".utf8), bytes])
        #expect(failure?.status == .usage)
        #expect(
            failure?.message
                == "argument 3 '\(shown)': not UTF-8 from byte \(place) on; give the file another name, or give it on standard input as -"
        )
    }
}

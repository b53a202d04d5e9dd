import Testing

@testable import DemoOrigin

@Suite struct SpliceSectionTests {
    private func mark(_ number: Int) -> LiveStream.BreakMark {
        LiveStream.BreakMark(number: number, dialect: .scte35, startMs: 1_000, durationMs: 20_000, error: MarkerError())
    }

    /// Written by hand from ANSI/SCTE 35 section 9 (HLS-26).
    @Test func aSpliceInsertIsLaidOutAsTheTableSays() {
        let bytes = SpliceSection(mark(0x1234), isOut: true).bytes
        let expected: [UInt8] = [
            0xFC, 0x30, 37, 0x00, 0x00, 0, 0, 0, 0, 0x00, 0xFF, 0xF0, 20, 0x05,
            0, 0, 0x12, 0x34, 0x7F, 0xEF, 0xFE, 0x00, 0x01, 0x5F, 0x90, 0x7E, 0x00, 0x1B, 0x77, 0x40, 0, 1, 0, 0,
            0, 0,
        ]
        #expect(Array(bytes.dropLast(4)) == expected)
    }

    @Test func aTimeSignalCarriesItsSegmentation() {
        let out = SpliceSection(mark(7), isOut: true).bytes
        #expect(out[13] == 0x06)
        #expect(Array(out[19..<21]) == [0, UInt8(out.count - 25)])
        #expect(Array(out[21...].prefix(6)) == [0x02, UInt8(out.count - 27)] + Array("CUEI".utf8))
        #expect(out[out.count - 7] == 0x34)
        let end = SpliceSection(mark(7), isOut: false).bytes
        #expect(end[end.count - 7] == 0x35)
    }

    /// CRC-32/MPEG-2 over the whole section is 0, and the length field counts the bytes after it.
    @Test(arguments: [(6, true), (6, false), (7, true), (7, false)])
    func theCheckSumAndTheLengthAreRight(number: Int, isOut: Bool) {
        let bytes = SpliceSection(mark(number), isOut: isOut).bytes
        #expect(TransportStream.withCRC(bytes).suffix(4) == [0, 0, 0, 0])
        #expect(Int(bytes[1] & 0x0F) << 8 | Int(bytes[2]) == bytes.count - 3)
    }

    /// RFC 4648 section 10.
    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func base64IsPadded(text: String, expected: String) {
        #expect(Base64Text.encoded(Array(text.utf8)) == expected)
    }
}

import Ports
import Testing

@Suite struct HexadecimalTextTests {
    @Test func numbersHaveAllTheirDigits() {
        #expect(UInt8(0).hexadecimal == "00" && UInt8(10).hexadecimal == "0a" && UInt8(255).upperHexadecimal == "FF")
        #expect(UInt16(0xA).upperHexadecimal == "000A" && UInt32(0xCAFE).hexadecimal == "0000cafe")
        #expect(UInt64.max.hexadecimal == "ffffffffffffffff" && UInt64(1).hexadecimal == "0000000000000001")
    }

    @Test func bytesHaveTwoDigitsEach() {
        #expect([UInt8]().hexadecimal.isEmpty)
        #expect([0, 0xAB, 0x7F].hexadecimal == "00ab7f" && [0, 0xAB, 0x7F].upperHexadecimal == "00AB7F")
        #expect(([1, 2, 0xFE, 3] as [UInt8]).dropFirst().prefix(2).hexadecimal == "02fe")
    }

    @Test func pairsOfDigitsAreBytes() {
        #expect([UInt8](hexadecimal: "00aBfF".utf8) == [0, 0xAB, 0xFF] && [UInt8](hexadecimal: "".utf8) == [])
        for text in ["0", "000", "0g", "g0", " 0", "é"] { #expect([UInt8](hexadecimal: text.utf8) == nil, "\(text)") }
    }

    @Test func aByteIsADigitInEitherCaseOnly() {
        let digits = Array("0123456789abcdef".utf8)
        #expect(digits.map(\.hexDigitValue) == (0...15).map { UInt8($0) })
        #expect(Array("ABCDEF".utf8).map(\.hexDigitValue) == (10...15).map { UInt8($0) })
        for byte in UInt8.min...UInt8.max {
            let written = Character(Unicode.Scalar(byte))
            #expect(byte.hexDigitValue == written.hexDigitValue.map { UInt8($0) }, "\(byte)")
            #expect(byte.isHexDigit == written.isHexDigit, "\(byte)")
        }
    }
}

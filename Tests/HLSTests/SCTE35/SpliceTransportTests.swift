import HLS
import Ports
import Testing

struct SpliceTransportTests {
    private static let bytes: [UInt8] = [
        0xFC, 0x30, 0x11, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xF0, 0, 0, 0, 0, 0x76, 0x1D, 0xD3, 0xB6,
    ]

    @Test(arguments: [
        "/DARAAAAAAAA///wAAAAAHYd07Y=", "/DARAAAAAAAA///wAAAAAHYd07Y", " _DARAAAAAAAA___wAAAAAHYd07Y= ",
        "0xFC3011000000000000FFFFF000000000761DD3B6", "0Xfc3011000000000000fffff000000000761dd3b6",
        "/DARAAAAAAAA///wAAAAAHYd07Y=\r\n", "FC3011000000000000FFFFF000000000761DD3B6",
        "fc3011000000000000fffff000000000761dd3b6",
    ]) func formsOfOneMessage(_ text: String) throws {
        let info = try SpliceTransport.decode(text)
        #expect(info.command == .null && info.isCRCValid)
    }

    @Test(arguments: ["", " ", "!", "/DAR A", "0x", "0xF", "0xFG", "=", "A", "/DA===", "AAAAA", "é"])
    func refuses(_ text: String) {
        #expect(throws: SpliceInfoProblem(.transport, offset: 0)) { try SpliceTransport.decode(text) }
    }

    @Test func endlessTextIsRefused() {
        #expect(SpliceTransport.bytes(of: String(repeating: "A", count: 1 << 20)) == nil)
    }

    @Test func hexadecimalAndBack() {
        #expect(SpliceTransport.bytes(of: "0x" + Self.bytes.upperHexadecimal) == Self.bytes)
        #expect([UInt8]().hexadecimal.isEmpty)
    }
}

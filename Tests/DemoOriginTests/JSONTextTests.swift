import Foundation
import Testing

@testable import DemoOrigin

@Suite struct JSONTextTests {
    @Test func membersKeepTheirOrderAndNumbersTheirText() {
        let json = JSONText.object([
            .init("b", .number("1.0")), .init("a", .array([.null, .bool(true), .bool(false), .integer(-3)])),
            .init("c", .object([])), .init("d", .array([])),
        ])
        #expect(json.text == #"{"b":1.0,"a":[null,true,false,-3],"c":{},"d":[]}"#)
    }

    @Test func foundationReadsEveryScalarBack() throws {
        let text =
            String(String.UnicodeScalarView((1...0x2FF).compactMap { UnicodeScalar($0) }))
            + "\u{202E}\u{2028}\u{1F469}\0"
        let data = Data(JSONText.array([.string(text)]).text.utf8)
        #expect(try JSONDecoder().decode([String].self, from: data) == [text])
        #expect(!data.contains { $0 < 0x20 })
    }
}

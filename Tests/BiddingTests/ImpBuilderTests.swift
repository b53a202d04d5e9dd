import Bidding
import Ports
import Testing

/// The request of a placement by OpenRTB 2.6 section 3.2.4.
struct ImpBuilderTests {
    /// Only a page that states it takes markup over http; by default https is required.
    @Test(arguments: [(#","secure":false"#, 0), (#","secure":0"#, 0), (#","secure":true"#, 1), ("", 1)])
    func secureIsThatOfThePlacement(_ member: String, _ expected: Int64) throws {
        let json = try JSONReader.read(#"{"id":"p","format":"banner","sizes":[[728,90]]\#(member)}"#)
        #expect(ImpBuilder.imp(try Placement(json), version: "1")["secure"] == .integer(expected))
    }

    @Test(arguments: [
        (#","expS":90"#, 90), (#","expS":0"#, nil), (#","expS":"90""#, nil), ("", nil as Int64?),
    ])
    func expiryIsThatOfThePlacement(_ member: String, _ expected: Int64?) throws {
        let json = try JSONReader.read(#"{"id":"p","format":"video","player":[640,360]\#(member)}"#)
        #expect(ImpBuilder.imp(try Placement(json), version: "1")["exp"] == expected.map(JSONValue.integer))
    }
}

import AdFormats
import Testing

@Suite struct AdStateTests {
    @Test func lettersTellAllStatesApart() {
        #expect(String(AdState.allCases.map(\.letter)) == "ULRICXF")
    }
}

import AdFormats
import Testing

@Suite struct AdStateTests {
    @Test func wordsDistinguishAllStates() {
        #expect(AdState.allCases.map(\.word) == ["empty", "loading", "loaded", "shown", "clicked", "closed", "failed"])
    }
}

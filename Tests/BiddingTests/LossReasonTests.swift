import Bidding
import Testing

@Suite struct LossReasonTests {
    /// JSON has the raw values, people read words.
    @Test func everyReasonHasWords() {
        let words = LostReason.allCases.map(\.words)
        #expect(Set(words).count == words.count)
        #expect(words.allSatisfy { !$0.contains(/[a-z][A-Z]/) && $0.utf8.count <= 24 })
    }

    @Test(arguments: [(LossReason.belowFloor, 100), (.lostToDeal, 103), (.notSecure, 207), (.bundleExcluded, 215)])
    func numbersAreThoseOfTheList(reason: LossReason, number: Int) {
        #expect(reason.rawValue == number)
    }
}

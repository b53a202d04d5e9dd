import Bidding
import Testing

@Suite struct LossReasonTests {
    @Test(arguments: [(LossReason.belowFloor, 100), (.lostToDeal, 103), (.notSecure, 207), (.bundleExcluded, 215)])
    func numbersAreThoseOfTheList(reason: LossReason, number: Int) {
        #expect(reason.rawValue == number)
    }
}

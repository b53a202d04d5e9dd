import Testing

@testable import VAST

@Suite struct EventNameTests {
    /// Events whose elements changed from version to version (VAST 4.3 section 3.14.1).
    @Test(
        arguments: [
            (.notUsed, .v4, EventName.Subjects()), (.notUsed, .v41, [.linear, .nonLinear]),
            (.notUsed, .v43, [.linear, .nonLinear]),
            (.creativeView, .v2, [.linear, .nonLinear, .companion]),
            (.creativeView, .v3, [.linear, .nonLinear, .companion]),
            (.creativeView, .v4, [.nonLinear, .companion]), (.creativeView, .v43, [.nonLinear, .companion]),
        ] as [(EventName, VASTVersion, EventName.Subjects)])
    func anEventBelongsToTheElementsOfItsVersion(event: EventName, version: VASTVersion, subjects: EventName.Subjects) {
        #expect(event.subjects(in: version) == subjects)
    }
}

import Simulation
import Testing

@Suite struct FaultTests {
    @Test(arguments: ["none", "all", "kill", "4xx,5xx", "refused,reset,clock"]) func aFaultProfileRoundTripsThroughText(
        _ text: String
    )
        throws
    {
        #expect(try #require(FaultProfile(text)).text == text)
    }

    @Test func allIsEveryFault() {
        #expect(FaultProfile("all")?.faults == Set(Fault.allCases))
        #expect(FaultProfile("none")?.faults == [])
    }

    @Test(arguments: ["", "nonsense", "kill,", "kill;5xx", "ALL"]) func otherTextIsNone(_ text: String) {
        #expect(FaultProfile(text) == nil)
    }
}

import Ports
import Testing

@Suite struct HTTPRequestTests {
    @Test(arguments: [("7", "7"), ("\t/next  ", "/next"), ("two words \t", "two words"), (" \t ", ""), ("", "")])
    func aReceivedFieldHasNoWhiteSpaceAroundIt(value: String, kept: String) {
        #expect(HTTPField(received: "Name", value) == HTTPField("Name", kept))
    }

    /// RFC 1034 section 3.1.
    @Test(arguments: ["t.example", "t.example."], ["t.example", "t.example.", "a.t.example", "a.t.example."])
    func aDotAtTheEndMakesNoOtherName(allowed: String, host: String) {
        #expect(RedirectRule(allowedHosts: [allowed], allowsDowngrade: false).allows(host: host))
        #expect(AddressRule.publicOnly(except: [allowed]).reach(of: host) == .anywhere)
        #expect(!RedirectRule(allowedHosts: [allowed], allowsDowngrade: false).allows(host: "x\(allowed)"))
    }
}

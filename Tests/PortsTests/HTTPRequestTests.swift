import Ports
import Testing

@Suite struct HTTPRequestTests {
    @Test(arguments: [("7", "7"), ("\t/next  ", "/next"), ("two words \t", "two words"), (" \t ", ""), ("", "")])
    func aReceivedFieldHasNoWhiteSpaceAroundIt(value: String, kept: String) {
        #expect(HTTPField(received: "Name", value) == HTTPField("Name", kept))
    }
}

import Testing

@testable import adtop

/// The program that opens the click destinations of ads (FMT-15).
struct OpenCommandTests {
    /// An address is written as in a document: what is not escaped in it is.
    @Test(arguments: ["https://shop.example.com/a b?q=\u{FC}", "http://shop.example.com/"])
    func webAddressesAreOpened(_ address: String) {
        #expect(OpenCommand(program: "true").open(address) == nil)
    }

    @Test(arguments: ["javascript:alert(1)", "", "shop.example.com", "https://shop.example.com/\u{1B}[2J"])
    func nothingElseIs(_ address: String) {
        #expect(OpenCommand(program: "true").open(address) == "'\(address)' is not a web address")
    }
}

import ArgumentParser
import Ports
import Testing
import VAST

@testable import adtop

@Suite struct MacroOptionsTests {
    /// The macro is required, and 0 or 1 (VAST 4.3 section 6).
    @Test(arguments: [([], "1"), (["--macro", "LIMITADTRACKING=0"], "0")] as [([String], String)])
    func trackingIsLimitedUnlessTheUserSaysOtherwise(arguments: [String], value: String) throws {
        let expander = MacroExpander(values: try MacroOptions.parse(arguments).values(at: UnixTime(milliseconds: 0)))
        for context in MacroExpander.Context.allCases {
            #expect(expander.url("https://t.example/?[LIMITADTRACKING]", in: context) == "https://t.example/?\(value)")
        }
    }
}

import Testing

@testable import VAST

@Suite struct MacroExpanderTests {
    @Test func thereAre59Macros() {
        #expect(MacroName.allCases.count == 59)
    }

    @Test func userValuesWinAndReachUnlistedNames() {
        var values = MacroValues()
        values[.ifa] = .withheld
        values.custom = ["IFA": "a b", "FOO": "1"]
        let expansion = MacroExpander(values: values).expand("https://t.example.test/?[IFA]&[FOO]&[BAR]", in: .tracking)
        #expect(expansion.url == "https://t.example.test/?a%20b&1&[BAR]")
        #expect(expansion.steps.map(\.reason) == [.user, .user, .unlisted])
    }

    @Test func aUsersValueCountsInEverySpellingOfItsName() {
        func expanded(_ custom: [String: String], _ template: String, isStrict: Bool = false) -> String {
            var values = MacroValues()
            values.custom = custom
            let expander = MacroExpander(values: values, isStrict: isStrict)
            return expander.url("https://t/?\(template)", in: .vmapError)
        }
        #expect(expanded(["ERRORCODE": "1000"], "[ERROR_CODE]&[ERRORCODE]") == "https://t/?1000&1000")
        #expect(expanded(["ERROR_CODE": "1000"], "[ERROR_CODE]&[ERRORCODE]") == "https://t/?1000&1000")
        #expect(expanded(["CACHEBUSTING": "1"], "[RANDOM]&[random]&[CACHEBUSTING]") == "https://t/?1&1&1")
        #expect(expanded(["CACHEBUSTING": "1"], "[RANDOM]", isStrict: true) == "https://t/?[RANDOM]")
        #expect(expanded(["RANDOM": "1", "CACHEBUSTING": "2"], "[RANDOM]&[CACHEBUSTING]") == "https://t/?1&2")
    }

    /// VAST 4.3 section 6.1 reserves both names for some URLs.
    @Test func aUsersValueDoesNotReplaceReservedNamesElsewhere() {
        var values = MacroValues()
        values.custom = ["ERRORCODE": "303", "REASON": "2"]
        let expander = MacroExpander(values: values)
        for (context, url) in [
            (.tracking, "[ERRORCODE]&[REASON]"), (.request, "[ERRORCODE]&[REASON]"), (.error, "303&[REASON]"),
            (.verificationNotExecuted, "[ERRORCODE]&2"),
        ] as [(MacroExpander.Context, String)] {
            let expansion = expander.expand("[ERRORCODE]&[REASON]", in: context)
            #expect(expansion.url == url)
            #expect(expansion.steps.map(\.reason) == expansion.steps.map { $0.isLeft ? .wrongContext : .user })
        }
    }

    @Test func explainsWhatItLeaves() {
        let steps = MacroExpander(values: MacroValues()).expand("[ERRORCODE][cachebusting][DOMAIN]", in: .tracking)
            .steps
        #expect(steps.map(\.reason) == [.wrongContext, .wrongCase, .unknown])
        #expect(steps.map(\.isLeft) == [true, true, false])
        let step = MacroExpander(values: MacroValues()).expand("[REASON]", in: .verificationNotExecuted).steps
        #expect(step.map(\.reason) == [.noValue] && step.map(\.isLeft) == [true])
    }

    @Test func requestTargetsAreLegalAndStable() {
        let text = "https://t.example.test/a b\n?x=é|%20&[M]"
        let target = PercentEncoding.requestTarget(text)
        #expect(target == "https://t.example.test/a%20b?x=%C3%A9%7C%20&[M]")
        #expect(PercentEncoding.requestTarget(target) == target)
        // Sections on lines that are indented.
        #expect(PercentEncoding.requestTarget("https://t/ a \n\t  b\t\r\n ?x= y\n  ") == "https://t/%20ab?x=%20y")
    }

    @Test func aUsersListKeepsItsCommas() {
        var values = MacroValues()
        values.custom = ["ADCATEGORIES": "a/b,c d", "IFA": "a,b", "FOO": "x,y"]
        let expansion = MacroExpander(values: values).expand(
            "https://t/?[ADCATEGORIES]&[IFA]&[FOO]&[foo]", in: .request)
        #expect(expansion.url == "https://t/?a%2Fb,c%20d&a%2Cb&x%2Cy&[foo]")
        #expect(expansion.steps.map(\.reason) == [.user, .user, .user, .unlisted])
        #expect(expansion.steps.allSatisfy { !$0.reason.explanation.isEmpty })
    }
}

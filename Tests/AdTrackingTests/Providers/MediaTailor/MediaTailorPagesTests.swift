import Ports
import Testing

@testable import AdTracking

/// Tokens of pages (PRV-18).
@Suite struct MediaTailorPagesTests {
    private static func body(_ pages: inout MediaTailorPages, at seconds: Int64 = 0) -> String? {
        pages.body(at: .seconds(seconds))?.text()
    }

    @Test func theNewestTokenComesBackAsWritten() {
        var pages = MediaTailorPages(usesTokens: true)
        #expect(Self.body(&pages) == "{}")
        #expect(pages.arrived(token: "a%3D=", at: .zero) == nil)
        #expect(Self.body(&pages) == #"{"NextToken":"a%3D="}"#)
        #expect(pages.failed(status: 503) == (false, nil))
        #expect(Self.body(&pages) == #"{"NextToken":"a%3D="}"#)
    }

    @Test func aRejectedTokenIsDroppedAndTheRequestRepeated() {
        var pages = MediaTailorPages(usesTokens: true)
        _ = pages.arrived(token: "a", at: .zero)
        _ = Self.body(&pages)
        let (isRepeated, finding) = pages.failed(status: 400)
        #expect(isRepeated && finding?.rule == "L50" && !pages.isGone)
        #expect(Self.body(&pages) == "{}")
        // Without a token the same answer means that there is no session.
        #expect(pages.failed(status: 400).finding?.rule == "L53")
        #expect(pages.isGone)
    }

    @Test func aMissingTokenIsReportedOnlyWhereOneWasSent() {
        var pages = MediaTailorPages(usesTokens: true)
        _ = Self.body(&pages)
        #expect(pages.arrived(token: nil, at: .zero) == nil)
        _ = pages.arrived(token: "a", at: .zero)
        _ = Self.body(&pages)
        #expect(pages.arrived(token: "", at: .zero)?.rule == "L50")
        #expect(Self.body(&pages) == "{}")
    }

    @Test func anOldTokenIsNotSentAndRepetitionDoesNotRenewIt() {
        var pages = MediaTailorPages(usesTokens: true)
        _ = pages.arrived(token: "a", at: .zero)
        _ = pages.arrived(token: "a", at: .seconds(22 * 3_600))
        #expect(Self.body(&pages, at: 23 * 3_600) == #"{"NextToken":"a"}"#)
        #expect(Self.body(&pages, at: 23 * 3_600 + 1) == "{}")
    }

    @Test(arguments: [403, 404, 410]) func theSessionIsGone(status: Int) {
        var pages = MediaTailorPages(usesTokens: true)
        _ = pages.arrived(token: "a", at: .zero)
        _ = Self.body(&pages)
        #expect(pages.failed(status: status).finding?.rule == "L53" && pages.isGone)
    }

    /// A cache in front of the service answers POST so.
    @Test(arguments: [400, 403, 404]) func getIsTriedWhereNoRequestWasAccepted(status: Int) {
        var pages = MediaTailorPages(usesTokens: true)
        #expect(Self.body(&pages) == "{}")
        #expect(pages.failed(status: status) == (false, nil) && !pages.isGone)
        #expect(Self.body(&pages) == nil)
        #expect(pages.failed(status: 503) == (false, nil))
        #expect(Self.body(&pages) == nil, "that proves nothing")
        #expect(pages.arrived(token: "a", at: .zero) == nil)
        #expect(Self.body(&pages) == nil)
        #expect(pages.failed(status: status).finding?.rule == "L53" && pages.isGone)
        #expect(Self.body(&pages) == nil)
    }

    @Test(arguments: [400, 403, 404]) func getIsTriedOnce(status: Int) {
        var pages = MediaTailorPages(usesTokens: true)
        let bodies = (0..<4).map { _ in
            let body = Self.body(&pages)
            let rule = pages.failed(status: status).finding?.rule
            return "\(body ?? "GET") \(rule ?? "-")"
        }
        #expect(bodies == ["{} -", "GET L53", "{} L53", "{} L53"])
    }

    /// 410 says that there was a session.
    @Test func aSessionThatIsGoneIsNotTried() {
        var pages = MediaTailorPages(usesTokens: true)
        _ = Self.body(&pages)
        #expect(pages.failed(status: 410).finding?.rule == "L53")
        #expect(Self.body(&pages) == "{}")
    }

    @Test func withoutTokensItIsAGet() {
        var pages = MediaTailorPages(usesTokens: false)
        #expect(Self.body(&pages) == nil)
    }
}

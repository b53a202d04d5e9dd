import Ports
import Testing

@Suite struct RedirectionTests {
    private static let tracker = "https://t.example/a/b?x=1"

    /// Where an answer leads, as text; nil where it is none.
    private func target(
        _ status: Int, _ location: String?, hops: Int = 1, _ edit: (inout HTTPRequest) -> Void = { _ in }
    ) throws -> String? {
        let url = try WebURL(Self.tracker)
        var request = HTTPRequest(url: url, maximumBodyBytes: 1)
        edit(&request)
        let fields = location.map { [HTTPField("Location", $0)] } ?? []
        return try request.redirection(from: url, status: status, fields, hops: hops)?.target.text
    }

    private func failure(
        _ location: String, hops: Int = 1, _ edit: (inout HTTPRequest) -> Void = { _ in }
    ) -> HTTPFailure.Kind? {
        do {
            _ = try target(302, location, hops: hops, edit)
            return nil
        } catch {
            return (error as? HTTPFailure)?.kind
        }
    }

    @Test(arguments: [(301, false), (302, false), (303, false), (307, true), (308, true)])
    func itsStatusDecidesAboutTheMethod(status: Int, keepsMethod: Bool) throws {
        let url = try WebURL(Self.tracker)
        let fields = [HTTPField("Location", "c")]
        let redirection = try HTTPRequest(url: url, maximumBodyBytes: 1)
            .redirection(from: url, status: status, fields, hops: 1)
        #expect(redirection?.target.text == "https://t.example/a/c" && redirection?.keepsMethod == keepsMethod)
    }

    @Test(arguments: [(200, "/c"), (201, "/c"), (300, "/c"), (304, "/c"), (302, nil)] as [(Int, String?)])
    func otherAnswersAreNone(status: Int, location: String?) throws {
        #expect(try target(status, location) == nil)
    }

    @Test func thereAreOnlySoMany() {
        #expect(failure("/c", hops: 10) { $0.maximumRedirects = 10 } == nil)
        #expect(failure("/c", hops: 11) { $0.maximumRedirects = 10 } == .tooManyRedirects)
    }

    @Test func itLeadsToAWebAddress() {
        #expect(failure("ftp://t.example/") == .badRedirect)
    }

    @Test func theRuleOfTheRequestHolds() {
        let own = RedirectRule(allowedHosts: ["t.example"], allowsDowngrade: false)
        #expect(failure("https://u.example/") { $0.redirectRule = own } == .addressNotAllowed)
        #expect(failure("http://t.example/") { $0.redirectRule = own } == .addressNotAllowed)
        #expect(failure("https://v.t.example/") { $0.redirectRule = own } == nil)
    }
}

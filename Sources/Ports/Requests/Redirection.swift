/// Where the answer of one hop leads, and how the next hop is requested.
package struct Redirection: Hashable, Sendable {
    package let target: WebURL
    /// Whether the next hop has the method and the body of this one: 307 and 308 keep them, after the others every client makes a GET
    /// without a body (RFC 9110 section 15.4).
    package let keepsMethod: Bool
}

extension HTTPRequest {
    private static let redirects: Set<Int> = [301, 302, 303, 307, 308]

    /// The redirect of an answer of `url`; nil if the answer is none. Fails if the request may not follow it.
    /// - Parameter hops: number of answers to the request, this one included.
    package func redirection(
        from url: WebURL, status: Int, _ fields: [HTTPField], hops: Int
    ) throws(HTTPFailure) -> Redirection? {
        guard Self.redirects.contains(status), let location = fields["location"] else { return nil }
        guard hops <= maximumRedirects else {
            throw HTTPFailure(.tooManyRedirects, "more than \(maximumRedirects) redirects")
        }
        let target: WebURL
        do throws(WebURLProblem) {
            target = try url.resolving(location)
        } catch {
            throw HTTPFailure(.badRedirect, "redirected to an address that \(error.explanation)")
        }
        if let failure = redirectRule.failure(from: url, to: target) { throw failure }
        return Redirection(target: target, keepsMethod: status == 307 || status == 308)
    }
}

package import Ports

/// Checks how a document was delivered, which its text does not show (VAST-28).
package enum ResponseLint {
    /// Players time out after five seconds; viewers notice one.
    static let slowMicroseconds: Int64 = 1_000_000
    /// A document of this size delays the ad on every television.
    static let largeBytes = 512 << 10
    /// Above this size compression saves more than it costs.
    static let compressibleBytes = 2 << 10
    static let manyRedirects = 3

    /// The findings of one answer; `reading` is the result of reading its body, nil when there is no body.
    package static func findings(of exchange: HTTPExchange, reading: VASTReading?) -> [Finding] {
        guard exchange.isSuccess else { return [] }
        var findings: [Finding] = []
        func report(_ rule: LintRule, _ message: String) {
            findings.append(rule.finding(message, at: nil))
        }
        if !exchange.body.isEmpty, !isXML(exchange.contentType) {
            report(.responseContentType, "The Content-Type is \(exchange.contentType ?? "missing"), not XML.")
        }
        if exchange.fields["access-control-allow-origin"] == nil {
            report(
                .responseNoCORS, "The response has no Access-Control-Allow-Origin; players in browsers cannot read it.")
        }
        if exchange.hops.count > manyRedirects {
            report(.responseRedirects, "The request was redirected \(exchange.hops.count - 1) times.")
        }
        if exchange.timings.total > slowMicroseconds {
            report(.responseSlow, "The answer took \(exchange.timings.total / 1_000) ms.")
        }
        if exchange.body.count > largeBytes { report(.responseLarge, "The document has \(exchange.body.count) bytes.") }
        if exchange.body.count > compressibleBytes, exchange.fields["content-encoding"] == nil {
            report(.responseUncompressed, "The \(exchange.body.count) bytes are uncompressed.")
        }
        findings += expired(exchange, reading)
        return findings
    }

    /// Compares the answer with that to a second request for the same URL: a changing answer cannot be cached, and the
    /// next viewer gets another document than the one checked.
    package static func findings(comparing first: [UInt8], with second: [UInt8]) -> [Finding] {
        guard first != second else { return [] }
        let place = zip(first, second).prefix { $0 == $1 }
        let line = 1 + place.count { $0.0 == UInt8(ascii: "\n") }
        return [
            LintRule.responseDiffers.finding(
                "A second request for the same URL returned a different document from line \(line).", at: nil)
        ]
    }

    private static func isXML(_ type: String?) -> Bool {
        guard let type = type?.prefix(while: { $0 != ";" }).lowercased() else { return false }
        return type.hasPrefix("application/xml") || type.hasPrefix("text/xml") || type.contains("+xml")
    }

    /// An ad that a cache has kept longer than it may live expires before it starts.
    private static func expired(_ exchange: HTTPExchange, _ reading: VASTReading?) -> [Finding] {
        guard let age = exchange.fields["age"].flatMap({ Int($0) }) else { return [] }
        return (reading?.vast?.ads ?? []).compactMap { ad in
            guard let expires = ad.expiresSeconds, age > expires else { return nil }
            return LintRule.expiresPast.finding(
                "The answer is \(age) s old; the ad must not start after \(expires) s.", at: ad.position)
        }
    }
}

package import Ports

/// The content types that a format may have (FMT-5); any other type is a failure, because types are not guessed.
package enum ExpectedContent {
    /// The result of the check.
    package enum Verdict: Sendable, Hashable {
        case fits
        /// Accepted, but worth a log line.
        case alias(String)
        case wrong(String)
    }

    /// The types of a format, the documented one first.
    package static func types(of format: AdFormat) -> [String] {
        switch format {
        case .banner, .interstitial: ["text/html"]
        case .rewarded: ["application/xml", "text/xml"]
        case .native: ["application/json"]
        }
    }

    /// Checks a content type as written in the header field, with or without parameters.
    package static func check(_ contentType: String?, for format: AdFormat) -> Verdict {
        let types = types(of: format)
        let bare = contentType?.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased() ?? ""
        guard let place = types.firstIndex(of: bare) else {
            let shown = contentType.map { "content-type \($0)" } ?? "no content-type"
            return .wrong("\(shown), expected \(types[0])")
        }
        return place == 0 ? .fits : .alias("content-type \(bare), expected \(types[0])")
    }

    /// Interprets an HTTP answer to an ad call (FMT-6).
    package static func payload(of exchange: HTTPExchange, for format: AdFormat) -> Result<AdPayload, AdError> {
        if let failure = exchange.failure {
            return .failure(AdError(.internalError, failure.message))
        }
        switch exchange.status ?? 0 {
        case 204: return .failure(AdError(.noFill, "HTTP 204"))
        case 200..<300: break
        case 400: return .failure(AdError(.invalidRequest, "HTTP 400"))
        case let status: return .failure(AdError(.internalError, "HTTP \(status)"))
        }
        guard exchange.body.contains(where: { !$0.isBlank }) else {
            return .failure(AdError(.noFill, "the answer is empty"))
        }
        guard !exchange.isBodyCut else { return .failure(AdError(.internalError, "the answer is too long")) }
        var payload = AdPayload(
            body: exchange.body, contentType: exchange.contentType, fields: exchange.fields, url: exchange.finalURL)
        switch check(exchange.contentType, for: format) {
        case .fits: break
        case .alias(let clause): payload.remark = clause
        case .wrong(let clause): return .failure(AdError(.internalError, clause))
        }
        return .success(payload)
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

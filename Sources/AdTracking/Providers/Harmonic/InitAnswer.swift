import Ports

/// The answer to GET or POST init: two resolved URLs (TRK-1).
struct InitAnswer: Hashable {
    var manifest: WebURL
    var tracking: WebURL

    /// - Parameter asked: base of relative URLs when the exchange does not contain a final URL.
    static func read(_ exchange: HTTPExchange, asked: WebURL) -> Result<InitAnswer, AnswerProblem> {
        // Exactly 200: some servers answer 204 or 206 to a parameter they ignore.
        if let problem = AnswerProblem.of(exchange, isGood: exchange.status == 200) { return .failure(problem) }
        let root: JSONValue
        do {
            root = try JSONReader.read(exchange.body)
        } catch {
            let isMarkup = exchange.body.first { $0 > 0x20 } == UInt8(ascii: "<")
            let isPlaylist = exchange.body.starts(with: "#EXTM3U".utf8)
            return .failure(
                AnswerProblem(
                    isMarkup
                        ? "is \(MarkupKind(exchange.body).noun) instead of JSON"
                        : isPlaylist
                            ? "is a playlist instead of JSON"
                            : "is not JSON: \(error.message) at line \(error.line), column \(error.column)"))
        }
        // Relative URLs resolve against the address of the answer, not of the request (all references since October
        // 2025).
        let base = exchange.finalURL.flatMap { try? WebURL($0) } ?? asked
        return url("manifestUrl", in: root, base: base).flatMap { manifest in
            url("trackingUrl", in: root, base: base).map { InitAnswer(manifest: manifest, tracking: $0) }
        }
    }

    private static func url(_ name: String, in root: JSONValue, base: WebURL) -> Result<WebURL, AnswerProblem> {
        guard let text = root[name]?.stringValue, !text.isEmpty else {
            return .failure(AnswerProblem("has no \(name)"))
        }
        do throws(WebURLProblem) {
            return .success(try base.resolving(text))
        } catch {
            return .failure(AnswerProblem("has a \(name) that \(error.explanation)"))
        }
    }
}

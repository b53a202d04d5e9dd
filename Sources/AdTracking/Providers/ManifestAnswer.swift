import HLS
import Ports

/// The answer to the request for a stream's manifest, in which a session is looked for.
enum ManifestAnswer {
    /// Lines that are looked at.
    private static let longest = 1_000

    struct Problem: Error {
        /// The step of opening that failed, and why.
        var step: String
        var text: String
    }

    /// The addresses that the playlist names, in order.
    /// - Parameter base: where the answer came from.
    static func addresses(in exchange: HTTPExchange, from base: WebURL) throws(Problem) -> [WebURL] {
        if let problem = AnswerProblem.of(exchange, isGood: exchange.isSuccess) {
            throw Problem(step: "manifest", text: problem.text)
        }
        if DASHManifest.isOne(exchange) { throw Problem(step: DASHManifest.name, text: DASHManifest.remedy) }
        let playlist = String(decoding: exchange.body, as: UTF8.self)
        guard playlist.contains("#EXTM3U") else { throw Problem(step: "manifest", text: "is not a playlist") }
        return playlist.split(whereSeparator: \.isNewline).prefix(longest).filter { !$0.hasPrefix("#") }
            .compactMap { try? base.resolving($0) }
    }
}

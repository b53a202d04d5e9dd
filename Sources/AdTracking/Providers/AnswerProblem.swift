import Ports

/// Why an answer cannot be used, as a clause that follows the name of the request.
struct AnswerProblem: Error, Hashable {
    var text: String

    init(_ text: String) {
        self.text = text
    }

    /// The problem apart from the body; nil when `isGood`.
    static func of(_ exchange: HTTPExchange, isGood: Bool) -> AnswerProblem? {
        if let failure = exchange.failure { return AnswerProblem("failed: \(failure.message)") }
        if exchange.isBodyCut { return AnswerProblem("is too long") }
        if isGood { return nil }
        return AnswerProblem(exchange.status.map { "answered \($0)" } ?? "was not answered")
    }
}

package import Ports

/// What one saved answer of a provider lists and which request follows it, without a session.
package struct SavedAnswer: Hashable, Sendable {
    package var listed: ListedAnswer
    /// Method of the request for the next answer; nil if none follows, as for recorded programmes.
    package var nextMethod: HTTPMethod?
    /// Body of that request; a GET has none.
    package var nextBody: JSONValue?

    package init(_ listed: ListedAnswer, nextMethod: HTTPMethod? = .get, nextBody: JSONValue? = nil) {
        self.listed = listed
        self.nextMethod = nextMethod
        self.nextBody = nextBody
    }
}

/// A dialect of which single answers can be read, with or without sessions in it.
package protocol SavedAnswerReader: Sendable {
    /// The name in settings, snapshots and recordings: lower-case letters, digits and hyphens.
    static var name: String { get }

    /// What it is and supports, in words.
    static var summary: ProviderSummary { get }

    /// Reads the saved answers of one session; it has none yet.
    static func savedSession() -> any SavedSession
}

extension SavedAnswerReader {
    /// What one saved answer lists, which is the first of its session.
    /// - Parameter charset: encoding that the transport names; nil for a file.
    package static func saved(_ bytes: [UInt8], charset: String? = nil) throws(MetadataProblem) -> SavedAnswer {
        var session = savedSession()
        return try session.add(bytes, charset: charset)
    }
}

/// What a provider supports, in words for `adtop providers`.
package struct ProviderSummary: Hashable, Sendable {
    /// The service's own name.
    package var title: String
    /// How its streams are recognised, as a clause.
    package var recognition: String
    /// How a session starts, which requests bring its data and what times count from: one clause each.
    package var supports: [String]

    package init(title: String, recognition: String, supports: [String]) {
        (self.title, self.recognition, self.supports) = (title, recognition, supports)
    }
}

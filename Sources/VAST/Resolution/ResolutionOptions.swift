package import Ports

/// The rules for following a chain of wrappers (VAST-10).
package struct ResolutionOptions: Hashable, Sendable {
    /// Most wrapper documents before the inline ad; VAST 4.3 section 2.3.5.1 recommends five.
    package var maximumWrappers = 5
    /// Most requests for one tag, including those of wrappers in pods.
    package var maximumRequests = 50
    /// Most ads used from one response.
    package var maximumAdsPerResponse = 256
    /// Time limits for one request and for the whole chain, which the caller enforces.
    package var requestTimeout: Duration = .seconds(5)
    package var totalTimeout: Duration = .seconds(10)
    /// Strict mode: documents that only a lenient reader accepts are failures, a single ad with a sequence is not a
    /// stand-alone ad, and no macro dialect is supported.
    package var isStrict = false
    /// Whether inline ads in a category that a wrapper blocks are rejected with error 205.
    package var rejectsBlockedCategories = true
    /// Whether ads marked `conditionalAd` are played; otherwise they are rejected with error 408.
    package var acceptsConditionalAds = true
    /// The caller's setting for the first response, as in a VMAP AdSource; nil allows multiple ads.
    package var allowMultipleAds: Bool?
    package var followRedirects: Bool?

    package init() {}
}

/// A request that the caller must make.
package struct TagFetch: Hashable, Sendable {
    /// Identifies the request in its answer.
    package var id: Int
    /// The URL with macros expanded.
    package var url: WebURL
    /// The URL of the document, resolved but with macros unexpanded.
    package var template: String
    /// Number of wrapper documents before this request.
    package var depth: Int
    /// The fetch whose answer referred to this one; nil for the tag itself.
    package var parent: Int?
}

/// The result of a request.
package enum TagAnswer: Sendable {
    /// A response with a body; `url` is its URL after redirects, `charset` the encoding that its header names.
    case body([UInt8], url: String, charset: String? = nil)
    /// A status of 400 or above.
    case httpStatus(Int)
    /// No answer in time.
    case timedOut(String)
    /// No connection, or one that broke.
    case unavailable(String)
    /// Rejected by the client: too many redirects, too long a body, a URL that is not allowed.
    case refused(String)
}

/// Why an ad or a whole response failed.
package struct ResolutionFailure: Hashable, Sendable {
    /// The step that failed. Decisions depend on it and on the code, never on the message.
    package enum Cause: Hashable, Sendable, CaseIterable {
        /// The document was not received in time.
        case timeout
        /// There was no connection, it broke, or the server answered with an error status.
        case retrieval
        /// The document, an ad in it, or a limit of the chain.
        case content
    }

    /// VAST error code (VAST 4.3 section 2.3.6.3).
    package var code: Int
    package var cause: Cause
    /// The failure as a predicate, such as "has no ad".
    package var message: String

    package init(code: Int, cause: Cause = .content, message: String) {
        self.code = code
        self.cause = cause
        self.message = message
    }
}

/// An error URL to request because of a failure.
package struct ErrorPixel: Hashable, Sendable {
    /// The URL with macros expanded.
    package var url: String
    package var template: String
    package var code: Int
    /// The id of the ad it belongs to; nil for the root of a response.
    package var adID: String?
    /// How its macros were expanded.
    package var macros: [MacroExpander.Step]
}

package import Ports

/// The rules under which a chain of wrappers is followed (vast-vmap 3.1).
package struct ResolutionOptions: Hashable, Sendable {
    /// Wrapper documents before the inline ad; VAST 4.3 section 2.3.5.1 names five.
    package var maximumWrappers = 5
    /// Requests for one tag, pods of wrappers of pods included.
    package var maximumRequests = 50
    /// Ads taken from one response.
    package var maximumAdsPerResponse = 256
    /// For one request, and for everything together: what the caller should grant.
    package var requestTimeout: Duration = .seconds(5)
    package var totalTimeout: Duration = .seconds(10)
    /// By the letter: documents that only a lenient reader takes are failures, a lone ad with a sequence is no
    /// stand-alone ad, and no macro dialect is understood.
    package var isStrict = false
    /// Inline ads in a category that a wrapper blocks are rejected with 205.
    package var rejectsBlockedCategories = true
    /// Ads marked `conditionalAd` are played; otherwise rejected with 408.
    package var acceptsConditionalAds = true
    /// What the caller says about the first response, as a VMAP AdSource does; nil allows everything.
    package var allowMultipleAds: Bool?
    package var followRedirects: Bool?

    package init() {}
}

/// One request that resolution wants made.
package struct TagFetch: Hashable, Sendable {
    /// Answers carry it back.
    package var id: Int
    /// With macros filled in.
    package var url: WebURL
    /// As the document has it, resolved but unexpanded.
    package var template: String
    /// Wrapper documents on the way here.
    package var depth: Int
    /// The fetch whose answer pointed here; nil for the tag itself.
    package var parent: Int?
}

/// What became of a request.
package enum TagAnswer: Sendable {
    /// A response with a body; `url` is the last one after redirects.
    case body([UInt8], url: String)
    /// Any status of 400 and above.
    case httpStatus(Int)
    /// No answer in time, or no connection.
    case unavailable(String)
    /// Too many redirects, too long a body, an address that is not allowed.
    case refused(String)
}

/// Why an ad or a whole response came to nothing.
package struct ResolutionFailure: Hashable, Sendable {
    /// VAST error code (VAST 4.3 section 2.3.6.3).
    package var code: Int
    /// One clause.
    package var message: String
}

/// An error URL to request, because something failed.
package struct ErrorPixel: Hashable, Sendable {
    /// Macros filled in.
    package var url: String
    package var template: String
    package var code: Int
    /// The id of the ad it belongs to; nil for the root of a response.
    package var adID: String?
    /// What became of the macros in it.
    package var macros: [MacroExpander.Step]
}

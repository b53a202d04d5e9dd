extension VASTDocument {
    /// One `Ad` element.
    package struct Ad: Hashable, Sendable {
        /// An inline ad, or a wrapper that refers to another document.
        package enum Kind: Hashable, Sendable {
            case inLine
            case wrapper(Wrapper)
        }

        package var id: String?
        /// Position in a pod; nil or 0 for a stand-alone ad.
        package var sequence: Int?
        package var adType: String?
        package var isConditional: Bool?
        package var kind: Kind
        package var system: System?
        package var title: String?
        package var description: String?
        package var advertiser: Advertiser?
        package var pricing: Pricing?
        package var surveys: [Survey] = []
        package var adServingID: String?
        /// Seconds from the request after which the ad must not start.
        package var expiresSeconds: Int?
        package var categories: [Category] = []
        package var blockedCategories: [Category] = []
        package var impressions: [Link] = []
        package var errors: [Link] = []
        package var viewableImpressions: [ViewableImpression] = []
        package var verifications: [Verification] = []
        package var extensions: [Extension] = []
        package var creatives: [Creative] = []
        package var position: SourcePosition

        /// Nil for an inline ad.
        package var wrapper: Wrapper? {
            if case .wrapper(let wrapper) = kind { wrapper } else { nil }
        }

        /// Position in the pod: a sequence above 0 (VAST 4.3 section 3.3.1).
        package var podPlace: Int? { sequence.flatMap { $0 > 0 ? $0 : nil } }
        package var linears: [Linear] { creatives.compactMap(\.linear) }
    }

    /// The document that a wrapper refers to, and what the wrapper allows (VAST 4.3 section 3.19).
    package struct Wrapper: Hashable, Sendable {
        /// Nil when the element is missing.
        package var adTagURI: Link?
        package var followAdditionalWrappers = true
        package var allowMultipleAds = false
        /// Nil when the attribute is missing.
        package var fallbackOnNoAd: Bool?
    }

    package struct System: Hashable, Sendable {
        package var name: String
        package var version: String?
    }

    package struct Advertiser: Hashable, Sendable {
        package var name: String
        package var id: String?
    }

    /// A price. The text may be a number, or an encoded value that both sides agreed on.
    package struct Pricing: Hashable, Sendable {
        package var value: String
        package var model: String?
        package var currency: String?
        package var position: SourcePosition

        package var number: Double? { ValueReader.decimal(value) }
    }

    package struct Survey: Hashable, Sendable {
        package var url: String
        package var type: String?
        package var position: SourcePosition
    }

    /// A category of the ad, or a list of blocked categories, in the codes of `authority`.
    package struct Category: Hashable, Sendable {
        package var authority: String?
        package var value: String
        package var position: SourcePosition

        /// The members of a comma-separated list.
        package var members: [String] {
            value.split(separator: ",").compactMap { ValueReader.word(String($0)) }
        }
    }

    package struct ViewableImpression: Hashable, Sendable {
        package var id: String?
        package var viewable: [Link] = []
        package var notViewable: [Link] = []
        package var viewUndetermined: [Link] = []
        package var position: SourcePosition
    }

    /// Code that measures the ad; it is listed, never run.
    package struct Verification: Hashable, Sendable {
        package struct Resource: Hashable, Sendable {
            package enum Kind: String, Hashable, Sendable {
                case javaScript = "javascript"
                case executable, flash
            }

            package var kind: Kind
            package var url: String
            package var apiFramework: String?
            package var type: String?
            package var isBrowserOptional: Bool?
            package var position: SourcePosition
        }

        package var vendor: String?
        package var resources: [Resource] = []
        package var parameters: String?
        package var tracking: [Tracking] = []
        /// Whether it was in an extension, as in versions before 4.1.
        package var isFromExtension = false
        package var position: SourcePosition
    }

    /// An `Extension` or `CreativeExtension`, unparsed.
    package struct Extension: Hashable, Sendable {
        package struct Attribute: Hashable, Sendable {
            package var name: String
            package var value: String
        }

        package var type: String?
        package var attributes: [Attribute] = []
        /// Nil when the element has child elements.
        package var text: String?
        /// Local names of the child elements.
        package var children: [String] = []
        /// The element as written in the document.
        package var rawXML: String
        package var position: SourcePosition
    }
}

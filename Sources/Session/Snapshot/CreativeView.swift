package import Ports

/// The facts about an ad beyond its events: how it was found, what it plays, and its companions. Complete for ads of a
/// VAST answer; for ads of the metadata, the fields they contain.
package struct CreativeView: Sendable, Equatable {
    /// Identifiers and facts in display order: ad id, system, title, duration and so on.
    package var facts: [Fact] = []
    /// The requests that led to the ad, the tag first; empty for metadata.
    package var hops: [Hop] = []
    /// Media in document order; files to play come first.
    package var media: [Media] = []
    package var companions: [Companion] = []
    package var icons: [Icon] = []
    package var verifications: [Verification] = []
    /// Findings about the selection, the resolution and the documents.
    package var findings: [Finding] = []
    /// Error URLs, requested or only listed, because something failed.
    package var pixels: [Pixel] = []

    package init() {}

    package var isEmpty: Bool { self == CreativeView() }

    /// A name and a value, both unredacted text; the names are ours, except those of the metadata's own members.
    package struct Fact: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension CreativeView {
    /// One request of the wrapper chain.
    package struct Hop: Sendable, Equatable {
        /// How a request ended; the raw value is shown.
        package enum Outcome: String, Sendable {
            case inline, wrapper, failed, waiting
            case noAd = "no ad"
        }

        package var outcome: Outcome
        /// The requested URL; after redirects, the URL of the answer.
        package var url: String
        /// Status of the last answer; nil when none arrived.
        package var status: Int?
        /// Number of redirects.
        package var redirects = 0
        package var took: Duration?
        package var bytes: Int?
        /// Number of wrappers before it, for indentation.
        package var depth: Int
        /// VAST version such as `4.2`; nil when the document has none.
        package var version: String?
        /// The problem, as one clause.
        package var problem: String?
        /// VAST error code of `problem`.
        package var code: Int?
        package var findings: [Finding] = []
        /// The answer as received, shared by all ads that it led to.
        package var body: [UInt8] = []
        /// Whether `body` is only the beginning.
        package var isBodyCut = false

        package init(outcome: Outcome, url: String, depth: Int) {
            self.outcome = outcome
            self.url = url
            self.depth = depth
        }
    }

    /// A media file of the ad.
    package struct Media: Sendable, Equatable {
        package enum Kind: String, Sendable {
            case media, mezzanine, interactive, captions
        }

        package var kind: Kind
        package var url: String
        package var type: String?
        package var delivery: String?
        package var codec: String?
        /// Width in pixels.
        package var width: Int?
        package var height: Int?
        /// Bit rate in kilobits per second.
        package var bitrate: Int?
        /// Whether a player would choose this file.
        package var isChosen: Bool
        /// Reason why the file is chosen or not, as a clause.
        package var reason: String

        package init(kind: Kind, url: String, isChosen: Bool = false, reason: String) {
            self.kind = kind
            self.url = url
            self.isChosen = isChosen
            self.reason = reason
        }
    }

    /// A banner beside the video; a monitor does not display it, so its views are not reported.
    package struct Companion: Sendable, Equatable {
        package var id: String?
        /// Width in pixels.
        package var width: Int?
        package var height: Int?
        package var slot: String?
        /// The attribute `required` of its list: `all`, `any` or `none`.
        package var required: String?
        package var renderingMode: String?
        /// Addresses or markup, each with its kind as name (`static image/png`, `iframe`, `html`).
        package var resources: [Fact] = []
        package var clickThrough: String?

        package init(width: Int? = nil, height: Int? = nil) {
            self.width = width
            self.height = height
        }
    }

    /// A small picture over the video.
    package struct Icon: Sendable, Equatable {
        package var program: String?
        package var width: Int?
        package var height: Int?
        /// Position as `left top`, or in pixels.
        package var position: String?
        package var resources: [Fact] = []
        package var clickThrough: String?

        package init(program: String? = nil) {
            self.program = program
        }
    }

    /// A measurement script: listed and never run.
    package struct Verification: Sendable, Equatable {
        package var vendor: String?
        /// Addresses by kind: `javascript omid`, `executable omid`.
        package var resources: [Fact] = []
        package var parameters: String?

        package init(vendor: String? = nil) {
            self.vendor = vendor
        }
    }

    /// An error URL of one of the requests that led to this ad.
    package struct Pixel: Sendable, Equatable {
        /// The URL as written, macros unexpanded.
        package var url: String
        /// VAST error code.
        package var code: Int

        package init(url: String, code: Int) {
            self.url = url
            self.code = code
        }
    }
}

package import Ports

/// What is known of an ad beyond its events: how it was found, what it plays, what stands beside it. For ads of a VAST
/// answer everything; for ads of the metadata what they carry.
package struct CreativeView: Sendable, Equatable {
    /// Identifiers and facts in the order to show them: ad id, system, title, duration and the like.
    package var facts: [Fact] = []
    /// The requests on the way to the ad, the tag first; empty for metadata.
    package var hops: [Hop] = []
    /// In document order, files to play first.
    package var media: [Media] = []
    package var companions: [Companion] = []
    package var icons: [Icon] = []
    package var verifications: [Verification] = []
    /// Of the selection, the resolution and the documents on the way.
    package var findings: [Finding] = []
    /// Error URLs requested, or only named, because something failed on the way.
    package var pixels: [Pixel] = []

    package init() {}

    package var isEmpty: Bool { self == CreativeView() }

    /// A name and a value, both raw text; the names are ours unless the metadata's own.
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
        /// How it ended, one word: `inline`, `wrapper`, `no ad`, `failed`, `waiting`, `inside` for a document that VMAP carried.
        package var outcome: String
        /// As requested; after redirects, as answered.
        package var url: String
        /// Of the last answer; nil when none came.
        package var status: Int?
        /// Redirects on the way.
        package var redirects = 0
        package var took: Duration?
        package var bytes: Int?
        /// Wrappers before it: how far to indent.
        package var depth: Int
        /// `4.2`; nil when not said.
        package var version: String?
        /// What is wrong, with its VAST error code; one clause.
        package var problem: String?
        /// VAST error code of `problem`.
        package var code: Int?
        package var findings: [Finding] = []
        /// The answer as it came, shared between all ads that it leads to.
        package var body: [UInt8] = []
        /// `body` is only the beginning.
        package var isBodyCut = false

        package init(outcome: String, url: String, depth: Int) {
            self.outcome = outcome
            self.url = url
            self.depth = depth
        }
    }

    /// A file that belongs to the ad.
    package struct Media: Sendable, Equatable {
        package enum Kind: String, Sendable {
            case media, mezzanine, interactive, captions
        }

        package var kind: Kind
        package var url: String
        package var type: String?
        package var delivery: String?
        package var codec: String?
        /// Pixels.
        package var width: Int?
        package var height: Int?
        /// Kilobits per second.
        package var bitrate: Int?
        /// The one a player takes.
        package var isChosen: Bool
        /// Why it is, or is not, the one: a clause.
        package var reason: String

        package init(kind: Kind, url: String, isChosen: Bool = false, reason: String) {
            self.kind = kind
            self.url = url
            self.isChosen = isChosen
            self.reason = reason
        }
    }

    /// A banner beside the video; not shown by a monitor, so its views are not reported.
    package struct Companion: Sendable, Equatable {
        package var id: String?
        /// Pixels.
        package var width: Int?
        package var height: Int?
        package var slot: String?
        /// `all`, `any` or `none` of the list it came in.
        package var required: String?
        package var renderingMode: String?
        /// What it shows: addresses or markup, each with its kind as name (`static image/png`, `iframe`, `html`).
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
        /// `left top`, or pixels.
        package var position: String?
        package var resources: [Fact] = []
        package var clickThrough: String?

        package init(program: String? = nil) {
            self.program = program
        }
    }

    /// A measuring script: listed, never run.
    package struct Verification: Sendable, Equatable {
        package var vendor: String?
        /// Address by kind: `javascript omid`, `executable omid`.
        package var resources: [Fact] = []
        package var parameters: String?

        package init(vendor: String? = nil) {
            self.vendor = vendor
        }
    }

    /// An error URL that belongs to the way of this ad.
    package struct Pixel: Sendable, Equatable {
        /// As written, macros unexpanded.
        package var url: String
        /// VAST error code.
        package var code: Int

        package init(url: String, code: Int) {
            self.url = url
            self.code = code
        }
    }
}

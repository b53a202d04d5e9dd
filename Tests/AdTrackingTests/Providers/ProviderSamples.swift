import AdTracking
import Ports

/// What a provider gives to `ProviderContractTests`: a session as its server would serve it, and texts that its reader must
/// survive.
struct ProviderSamples: Sendable {
    /// The samples of every provider of ``ProviderTable``, by its name.
    static let all: [String: ProviderSamples] = [
        HarmonicProvider.name: .harmonic, MediaTailorProvider.name: .mediaTailor, BroadpeakProvider.name: .broadpeak,
        PrimetimeProvider.name: .primetime, VMAPProvider.name: .vmap, UplynkProvider.name: .uplynk,
        DAIProvider.name: .dai, YospaceProvider.name: .yospace,
    ]

    /// A stream that `auto` takes for one of this provider.
    var mediaURL: String
    /// The answers that open a session, in the order of the requests.
    var opening: [HTTPExchange]
    /// Documents of one session in order: without any fault, the first with at least one ad, whose events have URLs that no
    /// other event has.
    var documents: [String]
    /// A document without breaks.
    var empty: String
    /// The first document cut in the middle: no document.
    var truncated: String
    /// The first document with members, elements or lines that no version of the dialect has, in each kind of node.
    var unknown: String
    /// Documents with impossible values where the dialect has values: numbers out of range, wrong types, deep nesting, long
    /// lists. The suite adds what is hostile in any dialect.
    var hostile: [String]
    /// The content type of the documents.
    var contentType: String
    /// The first document with `\u{E9}` in the id of an ad.
    var accented: String
    /// Answers of one session to a break that is on air, oldest first: the first one lacks an ad and an event of another one, the last one is whole.
    var growth: [String]
    /// How the answers of a session continue each other.
    var paging: Paging
    /// A long session.
    var rolling: Rolling
    /// Shortest and longest time from one request to the next while the server does not ask for a pause, with an interval of
    /// 4 s; nil for a provider that requests one document.
    var distances: ClosedRange<Duration>?
    /// The stream on which the documents have no fault; one with a timeline for a provider that needs it (`Viewer` in
    /// Playhead makes one of a playlist).
    var stream = StreamFacts()
    /// What the media carries, for a provider whose ads it places; read before the first document.
    var marks: [MediaMark] = []

    enum Paging: Sendable {
        /// No request depends on an answer: each answer is whole, or the session keeps what an answer does not list.
        case none
        /// Each answer has a token by which the next request continues it.
        case tokens(Pages)
    }

    /// Pages of one session in order: each one lists what is not finished at its token.
    struct Pages: Sendable {
        /// The token and the text of each page.
        var pages: [(token: String, text: String)]
        /// A page that has no token any more.
        var last: String
        /// The status of an answer to a token that the service does not accept, and the rule of the finding about it.
        var rejection: Int
        var finding: String
    }

    /// A window over breaks, one each minute, that moves by a break with each document.
    struct Rolling: Sendable {
        /// Number of polls, two for each document: more than twice as many as fill the largest memory of the provider.
        var polls = 2_000
        /// The document of that number, from 0; it lists that break and the next one.
        var document: @Sendable (Int) -> String
        /// What the media carries of the break that a document is the first to list; all of the first document with it.
        var marks: @Sendable (Int) -> [MediaMark] = { _ in [] }
    }
}

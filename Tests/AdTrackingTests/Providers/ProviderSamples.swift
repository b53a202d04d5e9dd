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
    /// Shortest and longest time from one request to the next while the server does not ask for a pause, with an interval of
    /// 4 s; nil for a provider that requests one document.
    var distances: ClosedRange<Duration>?
    /// The stream on which the documents have no fault; one with a timeline for a provider that needs it (`Viewer` in
    /// Playhead makes one of a playlist).
    var stream = StreamFacts()
    /// What the media carries, for a provider whose ads it places; read before the first document.
    var marks: [MediaMark] = []
}

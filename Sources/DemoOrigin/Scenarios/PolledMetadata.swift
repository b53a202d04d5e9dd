/// Streams whose breaks are listed at one address, in the form of the service, and breaks that the playlist itself describes.
enum PolledMetadata {
    /// Two ads and one ad in turn, as all scenarios of other providers have them.
    static let breaks = #"""
        breaks:
          every: 30s
          first: 6s
          pods:
            - [sneakers, espresso]
            - [espresso]
        ads:
          sneakers:
            duration: 6.006s
            urls: {impression: 2}
          espresso: {duration: 5.005s}
        """#

    private static func shape(_ dialect: SessionShape.Dialect, stream: String, metadata: String) -> String {
        "stream: \(stream)\nmetadata: \(metadata)\nsession: {dialect: \(dialect.rawValue)}\n\(breaks)"
    }

    static let broadpeak = BuiltinScenario(
        name: "broadpeak",
        summary: "A session of Broadpeak by redirect, with metadata at the address of its manifest.",
        shape: shape(.broadpeak, stream: "{segment: 2s, window: 60s}", metadata: "{window: 2m}"))

    static let primetime = BuiltinScenario(
        name: "primetime",
        summary: "A session of Adobe Primetime by bootstrap, with pods in seconds at the address of a media playlist.",
        shape: shape(.primetime, stream: "{segment: 2s, window: 60s}", metadata: "{window: 2m}"))

    static let vmap = BuiltinScenario(
        name: "vmap-poll",
        summary: "A playlist that keeps all segments, and a VMAP document that lists its breaks in seconds.",
        shape: shape(.vmap, stream: "{segment: 2s, window: 60s}", metadata: "{window: 2m}"))

    static let svta = BuiltinScenario(
        name: "svta",
        summary: "Date ranges of the playlist describe the ads and their events (SVTA 2053); there is no metadata.",
        shape: shape(.svta, stream: "{segment: 2s, window: 60s}", metadata: "none"))

    static let dai = BuiltinScenario(
        name: "dai",
        summary:
            "A session of Google DAI, with metadata without times, and ids in ID3 tags of the segments that are verified.",
        shape: shape(.dai, stream: "{segment: 2s, window: 60s}", metadata: "{window: 2m}"))

    static let yospace = BuiltinScenario(
        name: "yospace",
        summary:
            "A session of Yospace, whose breaks have no times; records in ID3 tags of the segments place their ads.",
        shape: shape(.yospace, stream: "{segment: 2s, window: 60s}", metadata: "{window: 1m}"))
}

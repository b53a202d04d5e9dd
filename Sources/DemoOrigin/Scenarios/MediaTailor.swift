/// Sessions and tracking data in the form of AWS Elemental MediaTailor.
enum MediaTailor {
    private static let stream = #"""
        stream: {segment: 2s, window: 60s}
        metadata: {window: 2m}
        """#

    private static let breaks = #"""
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

    /// The player reports: an explicit session, tracking data in pages, breaks that grow.
    static let scenario = BuiltinScenario(
        name: "mediatailor",
        summary: "A session of MediaTailor, with tracking data in pages and times in seconds of the session.",
        shape: "\(stream)\nsession: {dialect: mediatailor}\n\(breaks)")

    /// The service reports impressions and quartiles itself and lists them nevertheless.
    static let server = BuiltinScenario(
        name: "mediatailor-server",
        summary: "As mediatailor, but the service reports impressions and quartiles, so a viewer sends nothing.",
        shape: "\(stream)\nsession: {dialect: mediatailor, reporting: service}\n\(breaks)")
}

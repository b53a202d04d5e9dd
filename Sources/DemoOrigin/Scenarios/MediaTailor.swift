/// Sessions and tracking data in the form of AWS Elemental MediaTailor.
enum MediaTailor {
    private static let stream = #"""
        stream: {segment: 2s, window: 60s}
        metadata: {window: 2m}
        """#

    /// The player reports: an explicit session, tracking data in pages, breaks that grow.
    static let scenario = BuiltinScenario(
        name: "mediatailor",
        summary: "A session of MediaTailor, with tracking data in pages and times in seconds of the session.",
        shape: "\(stream)\nsession: {dialect: mediatailor}\n\(PolledMetadata.breaks)")

    /// The service reports impressions and quartiles itself and lists them nevertheless.
    static let server = BuiltinScenario(
        name: "mediatailor-server",
        summary: "As mediatailor, but the service reports impressions and quartiles, so a viewer sends nothing.",
        shape: "\(stream)\nsession: {dialect: mediatailor, reporting: service}\n\(PolledMetadata.breaks)")
}

/// Sessions in the form of Uplynk, in which a player reports its position by pings.
enum PingedMetadata {
    private static let stream = #"""
        stream: {segment: 2s, window: 60s}
        metadata: {window: 2m}
        """#

    /// Pings bring the ads, and the player reports them.
    static let scenario = BuiltinScenario(
        name: "uplynk",
        summary: "A session of Uplynk by preplay; the answers to its pings list the ads, which the viewer reports.",
        shape: "\(stream)\nsession: {dialect: uplynk}\n\(PolledMetadata.breaks)")

    /// Pings are the report of the ads, too.
    static let service = BuiltinScenario(
        name: "uplynk-pings",
        summary: "As uplynk, but the service reports ads because of pings, so a viewer sends nothing but pings.",
        shape: "\(stream)\nsession: {dialect: uplynk, reporting: service}\n\(PolledMetadata.breaks)")
}

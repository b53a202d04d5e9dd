/// One stream, with the same breaks and ads, in the form of each service.
enum ServiceSessions {
    private static func scenario(
        _ name: String, session: String, metadata: String = "{window: 2m}", summary: String
    ) -> BuiltinScenario {
        BuiltinScenario(
            name: name, summary: summary,
            shape: """
                stream: {segment: 2s, window: 60s}
                metadata: \(metadata)
                session: \(session)
                \(SharedText.shortPods(every: "30s", first: "6s"))
                """)
    }

    /// The player reports: an explicit session, tracking data in pages, breaks that grow.
    static let mediaTailor = scenario(
        "mediatailor", session: "{dialect: mediatailor}",
        summary: "A session of MediaTailor, with tracking data in pages and times in seconds of the session.")

    /// The service reports impressions and quartiles itself and lists them nevertheless.
    static let mediaTailorServer = scenario(
        "mediatailor-server", session: "{dialect: mediatailor, reporting: service}",
        summary: "As mediatailor, but the service reports impressions and quartiles, so a viewer sends nothing.")

    static let broadpeak = scenario(
        "broadpeak", session: "{dialect: broadpeak}",
        summary: "A session of Broadpeak by redirect, with metadata at the address of its manifest.")

    static let primetime = scenario(
        "primetime", session: "{dialect: primetime}",
        summary: "A session of Adobe Primetime by bootstrap, with pods in seconds at the address of a media playlist.")

    static let vmap = scenario(
        "vmap-poll", session: "{dialect: vmap}",
        summary: "A playlist that keeps all segments, and a VMAP document that lists its breaks in seconds.")

    /// Breaks that the playlist itself describes.
    static let svta = scenario(
        "svta", session: "{dialect: svta}", metadata: "none",
        summary: "Date ranges of the playlist describe the ads and their events (SVTA 2053); there is no metadata.")

    /// A player reports its position by pings, which bring the ads; the player reports them.
    static let uplynk = scenario(
        "uplynk", session: "{dialect: uplynk}",
        summary: "A session of Uplynk by preplay; the answers to its pings list the ads, which the viewer reports.")

    /// Pings are the report of the ads, too.
    static let uplynkPings = scenario(
        "uplynk-pings", session: "{dialect: uplynk, reporting: service}",
        summary: "As uplynk, but the service reports ads because of pings, so a viewer sends nothing but pings.")

    static let dai = scenario(
        "dai", session: "{dialect: dai}",
        summary:
            "A session of Google DAI, with metadata without times, and ids in ID3 tags of the segments that are verified."
    )

    static let yospace = scenario(
        "yospace", session: "{dialect: yospace}", metadata: "{window: 1m}",
        summary:
            "A session of Yospace, whose breaks have no times; records in ID3 tags of the segments place their ads.")
}

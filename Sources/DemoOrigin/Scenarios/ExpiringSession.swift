/// Servers end a session after an idle time, at the end of its token's life, or when their instance is replaced. A viewer
/// then opens a new one and continues.
enum ExpiringSession {
    static let scenario = BuiltinScenario(
        name: "expiring-session",
        summary:
            "Each session ends 45 s after it was opened, with 403 for playlist and metadata; a new one can be opened.",
        shape: #"""
            stream: {segment: 2s, window: 60s}
            metadata: {window: 2m}
            session: {expires: 45s}
            \#(SharedText.shortPods(every: "20s", first: "4s"))
            """#)
}

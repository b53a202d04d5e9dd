/// Ads whose metadata appears only after a viewer at the live hold-back has played them (TRK-11, finding L35).
enum LateMetadata {
    static let scenario = BuiltinScenario(
        name: "late-metadata",
        summary: "Some ads appear in the metadata only after they were played.",
        shape: #"""
            stream: {segment: 2s, window: 60s}
            metadata: {window: 2m}
            breaks:
              every: 40s
              first: 2s
              pods:
                - [on-time, late]
                - [late]
                - [very-late, on-time]
            ads:
              on-time: {duration: 6.006s}
              late:
                duration: 10.01s
                hidden: [{to: 30s}]
              very-late:
                duration: 10.01s
                urls: {impression: 2}
                hidden: [{to: 70s}]
            """#)
}

/// Metadata faults seen in the field, and text that attacks a terminal; the correct ads in between must not be
/// affected.
enum OddMetadata {
    static let scenario = BuiltinScenario(
        name: "odd-metadata",
        summary: "Missing ids, strings for numbers, vanishing ads, unknown events, hostile text.",
        shape: #"""
            stream: {segment: 2s, window: 60s}
            metadata: {window: 2m}
            breaks:
              every: 40s
              first: 2s
              pods:
                - {ads: [plain, nameless, texts], oddities: [unknown-keys]}
                - {ads: [vanishing, plain, bare], oddities: [missing-id]}
                - {ads: [wide, escapes, bidi], oddities: [numbers-as-strings]}
                - {ads: [strange-events, numbered, broken-links], oddities: [numeric-id, fractional-numbers]}
            ads:
              plain: {duration: 5.005s}
              nameless:
                duration: 5.005s
                oddities: [missing-id]
              texts:
                duration: 5.005s
                oddities: [numbers-as-strings, unknown-keys]
              vanishing:
                duration: 10.01s
                hidden: [{from: 8s, to: 16s}, {from: 30s, to: 36s}]
              bare:
                duration: 5.005s
                oddities: [no-tracking-events]
              wide:
                duration: 5.005s
                display-id: "広告・テレビ 👩‍👩‍👧 Ünïcödé e\u0301"
              escapes:
                duration: 5.005s
                display-id: "\e[31mred\e]0;title\a\e[2J\r\n\tend\x9b5m"
              bidi:
                duration: 5.005s
                display-id: "\u202egnp.exe\u202c \u2066isolate \u200bzero\ufeffwidth"
              strange-events:
                duration: 5.005s
                more-events: [secondQuartile, createView, clickThrough, "", "\e[5mblink"]
              numbered:
                duration: 5.005s
                oddities: [numeric-id, fractional-numbers]
              broken-links:
                duration: 5.005s
                oddities: [broken-urls]
            """#)
}

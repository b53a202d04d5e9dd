/// Date ranges with SCTE35-OUT and SCTE35-IN beside the metadata (HLS-25). The marker of every second break is
/// wrong intentionally: 240 ms late and 760 ms too long, so that it ends a second after the metadata's break.
enum DaterangesSCTE35 {
    static let scenario = BuiltinScenario(
        name: "dateranges-scte35",
        summary: "SCTE-35 date ranges beside metadata; every second one is a little off.",
        shape: #"""
            stream: {segment: 4s, window: 60s, markers: [dateranges]}
            metadata: {window: 2m}
            breaks:
              every: 40s
              first: 4s
              pods:
                - [sneakers, espresso]
                - {ads: [night-train, ceramics], marker-error: {late: 240ms, longer: 760ms}}
            ads:
              sneakers:
                duration: 10.01s
                urls: {impression: 2}
              espresso: {duration: 5.005s}
              night-train: {duration: 6.006s}
              ceramics: {duration: 6.006s}
            """#)
}

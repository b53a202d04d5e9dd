/// One minute of ads every three minutes; everything answers.
enum Steady {
    static let scenario = BuiltinScenario(
        name: "steady",
        summary: "One minute of ads every three minutes, everything answers.",
        shape: #"""
            stream: {segment: 4s, window: 60s}
            metadata: {window: 4m}
            breaks:
              every: 3m
              first: 20s
              pods:
                - [city-car, oat-milk, night-train]
                - [museum, city-car, oat-milk]
            ads:
              city-car:
                duration: 30.03s
                urls: {impression: 2, start: 2}
              oat-milk:
                duration: 15.015s
                urls: {impression: 2}
              night-train:
                duration: 15.015s
                urls: {complete: 2}
              museum:
                duration: 15.015s
                more-events: [clickThrough]
            """#)
}

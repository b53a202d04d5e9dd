import ArgumentParser

/// What is said in ad calls and read from their answers, shared by everything that makes some.
struct AdCallOptions: ParsableArguments {
    @Option(
        name: .customLong("ad-parameter"),
        help: ArgumentHelp(
            "Parameter of ad calls by its key: o=l, conn=wifi, geo=59.3,18.1, did=tablet, … (repeatable).",
            valueName: "key=value"))
    var parameters: [String] = []

    @Option(
        name: .customLong("refresh-header"),
        help: ArgumentHelp("Header field with a banner's refresh rate (repeatable).", valueName: "name"))
    var refreshHeaders: [String] = []
}

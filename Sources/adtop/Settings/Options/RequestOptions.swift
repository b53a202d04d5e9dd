import ArgumentParser

/// What the requests to the hosts of the stream carry; a chain of VAST documents has flags of its own for it.
struct RequestOptions: ParsableArguments {
    @Option(help: .of(.userAgent, "text"), completion: .of(.userAgent))
    var userAgent: String?

    @Option(
        name: .customLong("header"),
        help: ArgumentHelp(
            "Header field for all hosts of the stream, never for trackers; it replaces the program's own (repeatable).",
            valueName: "name: value"))
    var headers: [String] = []

    /// A line break would begin another field: the texts of a list are joined with them.
    mutating func validate() throws {
        try IdentityOptions.checkLines(["--header": headers])
    }

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.userAgent] = userAgent
        settings.give(.header, headers)
        return settings
    }
}

/// What requests carry, and which hosts get it.
struct IdentityOptions: ParsableArguments {
    @Option(
        name: .customLong("header-for"),
        help: ArgumentHelp(
            "Header field for all requests to one host, trackers too: --header-for HOST[:PORT] 'Name: value' (repeatable).",
            valueName: "host"))
    var hostHeaders: [String] = []

    @Option(
        name: .customLong("cookie"),
        help: ArgumentHelp("Cookie for the host and port of the URL (repeatable).", valueName: "name=value"))
    var cookies: [String] = []

    @Option(help: .of(.cookieJar, "file"), completion: .file())
    var cookieJar: String?

    @Option(help: .of(.bearerEnv, "name"))
    var bearerEnv: String?

    @Option(help: .of(.forwardedFor, "ip"))
    var forwardedFor: String?

    @Option(help: .of(.referer, "url"))
    var referer: String?

    @Option(help: .of(.origin, "origin"))
    var origin: String?

    mutating func validate() throws {
        try Self.checkLines(["--header-for": hostHeaders, "--cookie": cookies])
    }

    /// Arguments in which `--header-for HOST 'Name: value'` is one value, because an option of the parser has one.
    static func joined(_ arguments: [String]) -> [String] {
        var result: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            result.append(argument)
            if argument == "--" { return result + rest }
            guard argument == "--header-for", let host = rest.first, !host.contains(where: \.isWhitespace),
                rest.count > 1
            else { continue }
            rest = rest.dropFirst()
            result.append("\(host) \(rest.popFirst() ?? "")")
        }
        return result
    }

    /// Throws for a line break in the values of a flag.
    static func checkLines(_ flags: KeyValuePairs<String, [String]>) throws {
        for (flag, values) in flags where values.contains(where: { $0.utf8.contains { $0 == 0x0A || $0 == 0x0D } }) {
            throw ValidationError("\(flag): '***' contains a line break; give each one with a \(flag) of its own")
        }
    }

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings.give(.headerFor, hostHeaders)
        settings.give(.cookie, cookies)
        settings[.cookieJar] = cookieJar
        settings[.bearerEnv] = bearerEnv
        settings[.forwardedFor] = forwardedFor
        settings[.referer] = referer
        settings[.origin] = origin
        return settings
    }
}

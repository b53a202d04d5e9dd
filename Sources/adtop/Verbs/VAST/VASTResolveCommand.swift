import ArgumentParser
import Foundation
import Live
import Ports
import Session
import VAST

/// `adtop vast resolve`
struct VASTResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Follow a tag through its wrappers to the ads.",
        discussion: """
            Only the documents of the chain are requested: pixels are listed, never fired.

            Examples:
              adtop vast resolve 'https://ads.example.com/tag?cb=[CACHEBUSTING]'
              adtop vast resolve https://ads.example.com/tag --macro BREAKMAXDURATION=60
              adtop vast resolve --scenario ./chain5 --json
              adtop vast resolve https://ads.example.com/tag --times 20

            Exit codes: 0 an ad, 1 no ad, 2 usage error, 3 the tag itself could not be fetched, 4 unreadable input.
            """)

    @Argument(help: "First document: URL, file, or - for stdin.", completion: .files("xml"))
    var tag: String?

    @Option(
        help: ArgumentHelp("Resolve the chain in this folder's scenario.json without the network.", valueName: "dir"),
        completion: .directory)
    var scenario: String?

    @OptionGroup var chain: ChainOptions

    @OptionGroup var macros: MacroOptions

    @Flag(help: "Show the replacement of each macro and the reason.")
    var explain = false

    @Option(
        help: ArgumentHelp(
            "Resolve this many times in sequence and report the durations; an ad server counts every request.",
            valueName: "number"))
    var times = 1

    @Flag(help: "Print JSON (schema adtop-vast-resolution/1).")
    var json = false

    static let mostTimes = 1_000

    @OptionGroup var fetch: ChainFetchOptions

    mutating func validate() throws {
        if (tag == nil) == (scenario == nil) { throw ValidationError("give either a tag or --scenario") }
        if !(1...Self.mostTimes).contains(times) {
            throw ValidationError("--times: \(times) is not 1 to \(Self.mostTimes)")
        }
    }

    func run() async throws {
        let clock = SystemTimeSource()
        let values = try macros.values(at: clock.now().wall)
        var options = try chain.options()
        options.isStrict = macros.strict
        let courses = try await courses(options, values, clock)
        guard let course = courses.last else { return }
        let report = ResolutionReport(
            course: course, values: values, isLive: scenario == nil, isExplaining: explain, all: courses.map(\.elapsed))
        if json {
            Output.write(report.json.text(indented: true) + "\n")
        } else {
            report.lines.forEach { Output.line($0) }
        }
        guard !course.resolution.result.isOK else { return }
        throw (course.exchanges[0]?.isSuccess == false ? ExitStatus.network : .findings).code
    }

    /// One course for each of `times`, over the same connections.
    private func courses(
        _ options: ResolutionOptions, _ values: MacroValues, _ clock: SystemTimeSource
    ) async throws(CommandFailure) -> [TagResolver.Course] {
        var options = options
        if let scenario {
            let transport = try ScenarioTransport(folder: scenario)
            options.maximumWrappers = chain.depth ?? transport.maximumWrappers ?? options.maximumWrappers
            let resolution = resolution(of: transport.entry, options, values)
            return await TagResolver(transport: transport, cookies: nil, clock: clock, settings: chain.settings)
                .resolve(resolution, from: .tag, times: times)
        }
        let tag = tag ?? "-"
        let isAddress = tag.contains("://")
        let document = isAddress ? nil : try await fetch.input.read(tag, limit: Limits.vastBytes)
        let requests = try fetch.input.requests()
        let typed = TypedTag(tag)
        var settings = chain.settings
        settings.userAgent = chain.agent ?? requests.agent(or: settings.userAgent)
        let resolver = TagResolver(
            transport: requests.adCalls(typed: typed.origin), cookies: requests.cookies, clock: clock,
            settings: settings, addressRemedy: "omit --public-only to allow it")
        let courses = await resolver.resolve(
            resolution(of: typed.text, options, values),
            from: document.map { .document($0.bytes, url: $0.uri) } ?? .tag, times: times)
        await requests.end()
        return courses
    }

    private func resolution(of tag: String, _ options: ResolutionOptions, _ values: MacroValues) -> WrapperResolution {
        WrapperResolution(
            tag: tag, options: options, values: values, seed: chain.seed ?? UInt64.random(in: .min ... .max))
    }
}

/// A tag as it was typed, with user and password apart: the chain's report names it.
private struct TypedTag {
    /// Without user and password. Macros may be in it.
    let text: String
    /// With them; nil for a file.
    let origin: WebURL?

    init(_ tag: String) {
        var reference = URIReference(tag)
        // Macros need not be valid in a URL, and the origin has none.
        origin = reference.authority.flatMap { try? WebURL("\(reference.scheme ?? "")://\($0)/") }
        if let authority = reference.authority, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            reference.authority = authority[authority.utf8.index(after: at)...]
        }
        text = origin == nil ? tag : reference.text
    }
}

/// The options for following a chain.
struct ChainOptions: ParsableArguments {
    enum BlockedCategories: String, ExpressibleByArgument, CaseIterable {
        case reject, ignore
    }

    @Option(
        help:
            "Most wrappers before the ad, 0 to 10; an ad behind more is an error, 302 (default 5, or that of --scenario)."
    )
    var depth: Int?

    @Option(help: ArgumentHelp("Time limit of each document, at least 1ms.", valueName: "duration"))
    var timeout = "5s"

    @Option(help: ArgumentHelp("Time limit of the whole chain, at least 1ms.", valueName: "duration"))
    var totalTimeout = "10s"

    @Option(help: .of(.userAgent, "text"), completion: .of(.userAgent))
    var userAgent: String?

    @Option(
        name: .customLong("header"),
        help: ArgumentHelp("Further header field of all requests (repeatable).", valueName: "name: value"))
    var headers: [String] = []

    @Option(help: "Ads in a category that a wrapper blocks: reject them, or ignore the block.")
    var blockedCategories = BlockedCategories.reject

    @Flag(help: "Reject ads marked conditionalAd.")
    var noConditionalAds = false

    @Flag(help: "Request nothing from private and loopback addresses.")
    var publicOnly = false

    @Option(help: ArgumentHelp("Seed of [CACHEBUSTING] (default random).", valueName: "number"))
    var seed: UInt64?

    mutating func validate() throws {
        if let depth, !(0...10).contains(depth) { throw ValidationError("--depth: \(depth) is not 0 to 10") }
        if headers.contains(where: { $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }) {
            throw ValidationError("--header: control characters are not allowed")
        }
        if userAgent?.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) == true {
            throw ValidationError("--user-agent: control characters are not allowed")
        }
    }

    /// The rules of the resolution.
    func options() throws(CommandFailure) -> ResolutionOptions {
        _ = try fields()
        var options = ResolutionOptions()
        if let depth { options.maximumWrappers = depth }
        options.requestTimeout = try DurationFlag.positive(timeout, flag: "--timeout")
        options.totalTimeout = try DurationFlag.positive(totalTimeout, flag: "--total-timeout")
        options.rejectsBlockedCategories = blockedCategories == .reject
        options.acceptsConditionalAds = !noConditionalAds
        return options
    }

    /// `Name: value` as for all verbs, or `NAME=VALUE`.
    private func fields() throws(CommandFailure) -> [HTTPField] {
        var fields: [HTTPField] = []
        for header in headers {
            if let field = try? HeaderField(header), let value = field.value {
                fields.append(HTTPField(field.name, value))
                continue
            }
            let name = header.prefix { $0 != "=" }
            guard name.count < header.count,
                let field = try? HeaderField("\(name):\(header.dropFirst(name.count + 1))"),
                let value = field.value
            else { throw CommandFailure(.usage, "--header: '***' is not 'Name: value' or NAME=VALUE") }
            fields.append(HTTPField(field.name, value))
        }
        return fields
    }

    /// The text of the given User-Agent, which may be the name of a player.
    var agent: String? { userAgent.map { PlayerAgent(rawValue: $0)?.text ?? $0 } }

    /// The header fields and the address rule of the requests.
    var settings: TagRequestSettings {
        var settings = TagRequestSettings(
            userAgent: agent ?? MonitorConfiguration.defaultUserAgent(version: Version.current))
        // `options()` has thrown for those that cannot be read.
        settings.fields = (try? fields()) ?? []
        settings.addressRule = publicOnly ? .publicOnly : .anywhere
        return settings
    }
}

import ArgumentParser
import Bidding
import Foundation
import Live
import Monitoring
import Ports
import Session

/// `adtop auction run`
struct AuctionRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run the auctions in files and report why each candidate won or lost.",
        discussion: """
            A file holds one auction, or several under cases[].input. Bidders that have a URL or are plugins are \
            asked only with --live; the creatives that Prebid Servers return then go into the creative cache. Win, \
            loss and billing notices are sent only with --fire, and each only once: the journal records what earlier \
            runs sent.

            Examples:
              adtop auction run auction.json
              adtop auction run auction.json --lineitems items.json --rates rates.json
              adtop auction run live.json --live --fire
              adtop auction run with-plugin.json --live --plugins my-plugins

            Exit codes: 0 every auction has a winner, 1 an auction has no winner or its ad cannot be shown, 2 usage \
            error, 3 no bidder could be reached, 4 unreadable input.
            """)

    @Argument(help: ArgumentHelp("Auction documents; - for stdin.", valueName: "file"), completion: .files("json"))
    var files: [String]

    @Option(
        help: ArgumentHelp("Line items to use instead of the auction's (adtop/lineitems/1).", valueName: "file"),
        completion: .files("json"))
    var lineitems: String?

    @Option(
        help: ArgumentHelp("Exchange rates to use instead of the auction's (Prebid currency file).", valueName: "file"),
        completion: .files("json"))
    var rates: String?

    @Option(
        help: ArgumentHelp("Folder of bidder plugin manifests (default none).", valueName: "dir"),
        completion: .directory)
    var plugins: String?

    @Option(
        help: ArgumentHelp("JSON configuration of a plugin (repeatable).", valueName: "plugin=file"))
    var pluginConfig: [String] = []

    @Flag(help: "Send bid requests to bidders that have a URL or are plugins.")
    var live = false

    @Flag(inversion: .prefixedNo, help: "Put the creatives of live auctions into the creative cache.")
    var warm = true

    @OptionGroup var place: CacheFolderOptions

    @Flag(help: "Send win, loss and billing notices.")
    var fire = false

    @Flag(help: "With --fire, send the notices in spite of --insecure.")
    var fireAnyway = false

    @Option(
        help: ArgumentHelp("Journal of notices (default $XDG_STATE_HOME/adtop/journal.sqlite).", valueName: "file"),
        completion: .files("sqlite"))
    var journal: String?

    @Flag(help: "Keep no record of the notices that are sent.")
    var noJournal = false

    @Flag(help: "Print JSON (schema adtop-auctions/1).")
    var json = false

    @OptionGroup var fetch: FetchOptions

    mutating func validate() throws {
        if journal != nil, noJournal {
            throw ValidationError("--journal and --no-journal exclude each other; give one")
        }
        let ofNotices = [("--fire-anyway", fireAnyway), ("--journal", journal != nil)]
        if !fire, let flag = ofNotices.first(where: \.1)?.0 {
            throw ValidationError("\(flag): has an effect only with --fire; add it")
        }
        let ofRequests = [("--plugins", plugins != nil), ("--plugin-config", !pluginConfig.isEmpty)]
        if !live, let flag = ofRequests.first(where: \.1)?.0 {
            throw ValidationError("\(flag): has an effect only with --live; add it")
        }
    }

    func run() async throws {
        var plans: [(name: String, plan: AuctionPlan)] = []
        var flags = fetch.settings
        flags[.fireAnyway] = fireAnyway ? "yes" : nil
        let input = InputSource(flags: flags)
        if fire { try WayOptions.connection(flags).certificates.checkNotices() }
        for file in files { plans += try await Self.plans(in: file, from: input) }
        let items = try await Self.lineItems(lineitems, from: input)
        let table = try await Self.rates(rates, from: input)
        let clock = SystemTimeSource()
        var reports: [AuctionReport] = []
        // A cache that cannot be used is reported; the auctions still run.
        let warming =
            live && warm
            ? try CreativeWarming(place.shelf(), input: input.named(by: files.count == 1 ? files[0] : "")) : nil
        let round = try AuctionRound(
            clock: clock, isLive: live, isFiring: fire, journal: try notes(), warming: warming,
            plugins: try bidders(of: plans.map(\.plan), clock), input: input)
        for (name, plan) in plans {
            var plan = plan
            if let items { plan.auction.lineItems = items }
            if let table { plan.auction.rates = table }
            plan.auction.now = clock.now().wall
            do throws(CommandFailure) {
                reports.append(try await round.report(name: name, plan))
            } catch {
                await round.shutdown()
                throw error
            }
        }
        await round.shutdown()
        print(reports)
        if live, !reports.isEmpty, reports.allSatisfy(\.isUnreachable) { throw ExitStatus.network.code }
        if reports.contains(where: { $0.result.failure != nil }) { throw ExitStatus.findings.code }
    }

    private func print(_ reports: [AuctionReport]) {
        guard json else { return reports.flatMap(\.lines).forEach { Output.line($0) } }
        let document: JSONValue = ["schema": "adtop-auctions/1", "auctions": .array(reports.map(\.json))]
        Output.write(document.text(indented: true) + "\n")
    }

    /// Nil when no plugin is asked.
    private func bidders(of plans: [AuctionPlan], _ clock: SystemTimeSource) throws(CommandFailure) -> PluginBidders? {
        let wanted = Set(plans.flatMap(\.plugins).map { PluginBidder(plugin: $0.plugin, name: $0.plugin) })
        guard live, !wanted.isEmpty else { return nil }
        let folder = try plugins.map { path throws(CommandFailure) in try PluginFolder(path) }
        let found = try PluginBidders.find(
            wanted.sorted { $0.plugin < $1.plugin }, in: folder,
            try NameValue.pairs(pluginConfig, flag: "--plugin-config"))
        return PluginBidders(found.plugins, port: PluginRunner(found.executables), time: clock)
    }

    private func notes() throws(CommandFailure) -> any Journal {
        guard fire, !noJournal else { return InMemoryJournal() }
        var settings = JournalFile.Settings()
        settings.version = Version.current
        return JournalFile(path: try JournalPlace.path(journal), settings: settings).session()
    }

    private static func plans(
        in file: String, from input: InputSource
    ) async throws(CommandFailure) -> [(name: String, plan: AuctionPlan)] {
        let document = try await input.document(file, limit: Auction.maximumBytes)
        let plans: [(name: String, plan: AuctionPlan)]
        do throws(AuctionProblem) {
            plans = try AuctionPlan.list(document)
        } catch {
            throw CommandFailure(.unreadable, "\(file): \(error) (docs/auction.md describes the document)")
        }
        if plans.isEmpty { throw CommandFailure(.unreadable, "\(file): no auction in cases[]; name at least one") }
        return plans
    }

    private static func lineItems(_ file: String?, from input: InputSource) async throws(CommandFailure) -> [LineItem]?
    {
        guard let file else { return nil }
        let document = try await input.document(file, limit: LineItemFile.maximumBytes)
        do throws(AuctionProblem) {
            return try LineItemFile(document).items
        } catch {
            throw CommandFailure(.unreadable, "\(file): \(error) (docs/auction.md describes the document)")
        }
    }

    /// The rates of a Prebid currency file; nil without a file.
    static func rates(_ file: String?, from input: InputSource) async throws(CommandFailure) -> CurrencyTable? {
        guard let file else { return nil }
        let table = CurrencyTable(file: try await input.document(file, limit: CurrencyTable.maximumBytes))
        if table.isEmpty { throw CommandFailure(.unreadable, "\(file): no exchange rate in conversions{}") }
        return table
    }
}

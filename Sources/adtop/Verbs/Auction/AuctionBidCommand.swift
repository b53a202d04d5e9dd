import ArgumentParser
import Bidding
import Foundation
import Live
import Ports
import Session

/// `adtop auction bid`
struct AuctionBidCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bid", abstract: "Request bids from one bidder, or read a saved answer.",
        discussion: """
            Without --live the request is printed and not sent. Every request carries test:1, lmt:1 and all-zero ids.

            Examples:
              adtop auction bid --pbs http://127.0.0.1:8080/openrtb2/auction
              adtop auction bid --pbs http://127.0.0.1:8080/openrtb2/auction \\
                --stored-request home --live
              adtop auction bid --openrtb https://dsp.example.com/bid \\
                --placement placement.json --live
              adtop auction bid --replay answer.json --json

            Exit codes: 0 a bid, 1 no bid, 2 usage error, 3 network error, 4 unreadable input.
            """)

    @Option(help: ArgumentHelp("Auction endpoint of a Prebid Server.", valueName: "url"))
    var pbs: String?

    @Option(help: ArgumentHelp("OpenRTB 2.6 endpoint.", valueName: "url"))
    var openrtb: String?

    @Option(
        help: ArgumentHelp("Saved answer of a Prebid Server; - for stdin.", valueName: "file"),
        completion: .files("json"))
    var replay: String?

    @Option(help: ArgumentHelp("Id of a stored request of the Prebid Server.", valueName: "id"))
    var storedRequest: String?

    @Option(
        help: ArgumentHelp("Placement, see docs/auction.md (default a 320x50 banner).", valueName: "file"),
        completion: .files("json"))
    var placement: String?

    @Option(
        help: ArgumentHelp(
            "Time limit of the answer, at least 1ms; the request names it as tmax.", valueName: "duration"))
    var timeout = "1s"

    @OptionGroup var keys: TargetingPrefixOptions

    @Flag(help: "Send the request.")
    var live = false

    @Flag(help: "Print JSON (schema adtop-prebid/1 or adtop-auction/1).")
    var json = false

    /// Default address of the local creative cache, for the URLs of entries.
    private static let cacheAuthority = "localhost:16257"

    @OptionGroup var fetch: WayFetchOptions

    mutating func validate() throws {
        guard [pbs, openrtb, replay].count(where: { $0 != nil }) == 1 else {
            throw ValidationError("give one of --pbs, --openrtb and --replay")
        }
        let given = [("--live", live), ("--placement", placement != nil), ("--stored-request", storedRequest != nil)]
        if replay != nil, let flag = given.first(where: \.1)?.0 {
            throw ValidationError("\(flag): has an effect only with --pbs or --openrtb; omit it")
        }
    }

    func run() async throws {
        if let replay {
            return try report(try await fetch.input.document(replay, limit: Auction.maximumBytes), place: replay)
        }
        let (endpoint, typed) = try endpoint()
        var auction = Auction(id: "bid", placement: try await readPlacement())
        auction.rules.deadline = try DurationFlag.positive(timeout, flag: "--timeout")
        if case .openRTB = endpoint.kind {
            auction.answers = [EndpointAnswer(bidder: endpoint.name, latency: .zero, content: .notAsked)]
        }
        let plan = AuctionPlan(auction, endpoints: [endpoint])
        let requests = try fetch.input.requests()
        let agent = requests.agent(or: MonitorConfiguration.defaultUserAgent(version: Version.current))
        let bids = plan.requests(id: auction.id, userAgent: agent, version: Version.current)
        guard live else {
            await requests.end()
            for request in bids { Output.write(String(decoding: request.body, as: UTF8.self) + "\n") }
            Output.note("adtop: request not sent; --live sends it to \(endpoint.url.text)")
            return
        }
        let answers = await AuctionRound.answers(to: bids, requests.adCalls(typed: typed))
        await requests.end()
        try report(plan, answers)
    }

    /// The endpoint, and its URL as it was typed.
    private func endpoint() throws(CommandFailure) -> (AuctionPlan.Endpoint, typed: WebURL) {
        let text = pbs ?? openrtb ?? ""
        let typed: WebURL
        do throws(WebURLProblem) {
            typed = try WebURL(text)
        } catch {
            throw CommandFailure(.usage, "\(pbs == nil ? "--openrtb" : "--pbs"): '\(text)' \(error.explanation)")
        }
        var source = PrebidSource(name: "Prebid", storedRequest: storedRequest)
        source.prefix = try keys.prefix()
        let kind: AuctionPlan.Endpoint.Kind = pbs == nil ? .openRTB(index: 0) : .prebid(source)
        return (AuctionPlan.Endpoint(name: typed.host, url: typed.withoutCredentials, kind: kind), typed)
    }

    private func readPlacement() async throws(CommandFailure) -> Placement {
        guard let placement else { return Placement(id: storedRequest ?? "adtop", sizes: [AdSize(320, 50)]) }
        let document = try await fetch.input.document(placement, limit: Auction.maximumBytes)
        do throws(AuctionProblem) {
            return try Placement(document["placement"] ?? document, isSecure: true)
        } catch {
            throw CommandFailure(.unreadable, "\(placement): \(error) (docs/auction.md describes the document)")
        }
    }

    /// The answer of a live endpoint.
    private func report(_ plan: AuctionPlan, _ answers: [HTTPExchange]) throws {
        guard let exchange = answers.first, exchange.failure == nil else {
            let message = answers.first?.failure?.message ?? "no answer"
            throw CommandFailure(.network, "\(plan.endpoints[0].url.text): \(message)")
        }
        if pbs != nil, let document = try? JSONReader.read(exchange.body) {
            return try report(document, place: plan.endpoints[0].url.text)
        }
        let round = plan.round(id: plan.auction.id, answers: answers)
        let result = round.auction.held()
        let report = AuctionReport(
            name: plan.endpoints[0].name, auction: round.auction, result: result)
        if json {
            Output.write(report.json.text(indented: true) + "\n")
        } else {
            report.lines.forEach { Output.line($0) }
        }
        if result.failure != nil { throw ExitStatus.findings.code }
    }

    /// The answer of a Prebid Server.
    private func report(_ document: JSONValue, place: String) throws {
        guard let answer = try keys.answer(document) else {
            throw CommandFailure(
                .unreadable, "\(place): expected a Prebid Server answer, found a JSON \(document.typeName)")
        }
        if json {
            Output.write(answer.json(authority: Self.cacheAuthority).text(indented: true) + "\n")
        } else {
            PrebidReport(answer: answer).lines.forEach { Output.line($0) }
        }
        if answer.imps.allSatisfy({ $0.winner == nil }) { throw ExitStatus.findings.code }
    }
}

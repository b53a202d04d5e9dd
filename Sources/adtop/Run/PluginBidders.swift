import AdFormats
import Bidding
import Foundation
import Live
import Monitoring
import Ports
import Session

/// The plugins that bid in the auctions of `auction run`: the first auction that needs a plugin starts its process, the
/// process serves all auctions, and it is closed at the end.
actor PluginBidders {
    /// Plugins with their executables.
    struct Found {
        var plugins: [SubprocessPlugin] = []
        var executables: [String: URL] = [:]
    }

    private var bidders: [HostedPlugin]
    private var bids = PluginBids([], request: "", deadline: .zero)
    private let port: any PluginPort
    private let time: any TimeSource
    /// One task for each process; it ends with the process, at the latest in `finish`.
    private var processes: [Task<Void, Never>] = []
    private var alarm: Task<Void, Never>?
    private var waiter: CheckedContinuation<Void, Never>?

    init(_ plugins: [SubprocessPlugin], port: any PluginPort, time: any TimeSource) {
        bidders = plugins.map(HostedPlugin.init)
        (self.port, self.time) = (port, time)
    }

    /// Finds the bidding plugins in the folder.
    static func find(
        _ wanted: [PluginBidder], in folder: PluginFolder?, _ configurations: [String: String]
    ) throws(CommandFailure) -> Found {
        var found = Found()
        for bidder in wanted {
            guard let folder else {
                throw CommandFailure(
                    .usage, "bidder '\(bidder.plugin)': no plugin folder; give it with --plugins DIR")
            }
            guard let plugin = folder.plugin(bidder.plugin) else {
                throw CommandFailure(
                    .usage,
                    "bidder '\(bidder.plugin)': no usable plugin in \(folder.path); check it with adtop plugins check")
            }
            guard plugin.manifest.bids else {
                throw CommandFailure(
                    .usage, "bidder '\(bidder.plugin)': the plugin does not declare '\(PluginManifest.bidCapability)'")
            }
            let configuration = try PluginFolder.configuration(of: bidder.plugin, configurations)
            found.plugins.append(SubprocessPlugin(ofSession: plugin.manifest, configuration: configuration))
            found.executables[bidder.plugin] = plugin.executable
        }
        return found
    }

    /// Requests bids from the plugins of a plan and waits until each has answered, timed out or ended.
    func answers(to question: HostMessage, of plan: AuctionPlan) async -> [EndpointAnswer] {
        bids = PluginBids(plan.plugins, request: plan.auction.id, deadline: plan.auction.rules.deadline)
        for wanted in plan.plugins { ask(wanted.plugin, question) }
        while !bids.isComplete {
            setAlarm()
            await withCheckedContinuation { waiter = $0 }
        }
        alarm?.cancel()
        return bids.answers
    }

    /// Sends the result of the auction to the plugins of its plan.
    func tell(_ round: AuctionPlan.Round, _ result: AuctionResult, of plan: AuctionPlan) {
        for (place, wanted) in plan.plugins.enumerated() {
            guard let index = index(of: wanted.plugin), bidders[index].isRunning else { continue }
            let farewell = round.farewell(toPlugin: place, in: result)
            perform(bidders[index].session.send(farewell, at: time.now().uptime), of: index)
        }
    }

    /// Closes every plugin and waits for the end of its process.
    func finish() async {
        for index in bidders.indices where bidders[index].isRunning {
            perform(bidders[index].session.close("done", at: time.now().uptime), of: index)
        }
        // A plugin that does not end in time is killed.
        for process in processes { process.cancel() }
        for process in processes { await process.value }
        alarm?.cancel()
    }

    private func index(of plugin: String) -> Int? {
        bidders.firstIndex { $0.identifier == plugin }
    }

    private func ask(_ plugin: String, _ question: HostMessage) {
        guard let index = index(of: plugin) else { return bids.ended(plugin, "no such plugin") }
        if bidders[index].isRunning {
            if bidders[index].isReady { bids.heard(plugin, at: time.now().uptime) }
        } else {
            guard let run = bidders[index].startNextRun() else {
                return bids.ended(plugin, bidders[index].refusal ?? "")
            }
            processes.append(Task { [port] in await port.run(run) { await self.hear(run, $0) } })
        }
        perform(bidders[index].session.send(question, at: time.now().uptime), of: index)
    }

    private func hear(_ run: PluginRun, _ news: PluginNews) {
        guard let index = bidders.firstIndex(where: { $0.isRunning && $0.run == run }) else { return }
        let plugin = bidders[index].plugin
        let parameters = RequestParameters(version: Version.current).json
        let outputs = bidders[index].session.hear(news, of: plugin, parameters: parameters, at: time.now().uptime)
        perform(outputs, of: index)
        tick()
    }

    /// Called after a timeout or a message: updates the bids and wakes the task that waits for them.
    private func tick() {
        let uptime = time.now().uptime
        for index in bidders.indices { perform(bidders[index].session.advance(to: uptime), of: index) }
        bids.advance(to: uptime)
        waiter?.resume()
        waiter = nil
    }

    private func setAlarm() {
        alarm?.cancel()
        guard let due = (bidders.map(\.session.nextDue) + [bids.nextDue]).compactMap(\.self).min() else { return }
        // Ended by the next alarm, or when all bids have arrived.
        alarm = Task { [time] in
            guard (try? await time.sleep(untilUptime: due)) != nil else { return }
            tick()
        }
    }

    private func perform(_ outputs: [PluginSession.Output], of index: Int) {
        let (run, name) = (bidders[index].run, bidders[index].identifier)
        for output in outputs {
            switch output {
            case .write(let line): if !port.tell(run, line) { perform(bidders[index].session.wentDeaf(), of: index) }
            case .deliver(.ready(_, _, let isBidder, _)): bids.ready(name, bids: isBidder, at: time.now().uptime)
            case .deliver(.bid(let request, let answer)):
                let problem = bids.answered(name, request: request, answer, at: time.now().uptime)
                if let problem { Output.note("plugin \(name): \(problem)") }
            case .deliver: break
            case .note(let severity, let text): if severity != .info { Output.note("plugin \(name): \(text)") }
            case .terminate: port.terminate(run)
            case .kill: port.kill(run)
            case .ended(let reason): bids.ended(name, reason)
            }
        }
    }
}

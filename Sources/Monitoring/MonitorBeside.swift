import Session

/// What a session does beside the stream: the programs that it runs, the creatives that it caches, the ad spaces that it fills.
extension Monitor {
    /// Such work of a child task of `run`.
    enum BesideJob {
        case plugin(PluginRun)
        case deafPlugin(PluginRun)
        case keep(round: Int, [CreativeOrder])
        case lookUpZone(String)
        case loadZone(ZoneOrder)
        case removeZone(String)
    }

    func start(_ effect: BesideEffect) {
        switch effect {
        case .startPlugin(let run):
            jobSink.yield(.beside(.plugin(run)))
        case .writeToPlugin(let run, let line):
            if plugins?.tell(run, line) == false { jobSink.yield(.beside(.deafPlugin(run))) }
        case .terminatePlugin(let run):
            plugins?.terminate(run)
        case .killPlugin(let run):
            plugins?.kill(run)
        case .keepCreatives(let round, let orders):
            jobSink.yield(.beside(.keep(round: round, orders)))
        case .lookUpZone(let unit):
            jobSink.yield(.beside(.lookUpZone(unit)))
        case .loadZone(let order):
            jobSink.yield(.beside(.loadZone(order)))
        case .removeZone(let unit):
            jobSink.yield(.beside(.removeZone(unit)))
        case .openURL(let address):
            opener?(address)
        }
    }

    func perform(_ job: BesideJob) async {
        switch job {
        case .plugin(let run):
            guard let plugins else {
                return submit(.beside(.pluginReported(run, .notStarted("plugins cannot be run here"))))
            }
            await plugins.run(run) { await self.submit(.beside(.pluginReported(run, $0))) }
        case .deafPlugin(let run):
            submit(.beside(.pluginReported(run, .deaf)))
        case .keep(let round, let orders):
            let none = orders.map { KeptCreative(id: $0.id, problem: "no cache") }
            submit(.beside(.creativesKept(round: round, await keeper?.keep(orders) ?? none)))
        case .lookUpZone(let unit):
            let nothing = ZoneLookup(kept: nil, history: nil, rows: [])
            submit(.beside(.zoneLookedUp(unit, await zones?.look(up: unit) ?? nothing)))
        case .loadZone(let order):
            let nothing = ZoneDelivery(.failed(code: 900, "zones are not kept here"), rows: [])
            submit(.beside(.zoneLoaded(order.number, await zones?.load(order) ?? nothing)))
        case .removeZone(let unit):
            let nothing = ZoneRemoval(problem: "zones are not kept here", rows: [])
            submit(.beside(.zoneRemoved(unit, await zones?.remove(unit) ?? nothing)))
        }
    }
}

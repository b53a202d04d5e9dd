package import Ports

extension FleetOverview {
    /// Schema `adtop-fleet-status/1`.
    package var json: JSONValue {
        [
            "schema": "adtop-fleet-status/1", "atMs": .integer(at.milliseconds), "store": store.json,
            "totals": totals, "regions": .array(regions.map(json)), "agents": .array(agents.map(\.json)),
            "problems": .array(
                problems.map { problem in
                    [
                        "code": .string(problem.code.rawValue), "severity": .string(problem.code.severity.rawValue),
                        "words": .string(problem.words),
                    ]
                }),
        ]
    }

    private var totals: JSONValue {
        [
            "channels": .optional(viewers.channels), "viewers": .optional(viewers.count),
            "owned": .optional(followed),
            "waiting": .optional(viewers.waiting), "orphaned": .optional(orphaned),
            "claimsPerSecond": .optional(claimsPerSecond), "unknownLastHour": .optional(unknownLastHour),
            "agents": [
                "alive": .optional(agents(.alive).count), "draining": .optional(agents(.draining).count),
                "silent": .optional(agents(.silent).count),
            ],
        ]
    }

    private func json(_ region: Region) -> JSONValue {
        let agents = agents(in: region.name)
        return [
            "region": .string(region.name), "agents": .optional(agents.count),
            "capacity": .optional(agents.reduce(0) { $0 + $1.capacity }), "viewers": .optional(region.viewers),
            "waiting": .optional(region.waiting),
        ]
    }
}

extension FleetOverview.Store {
    fileprivate var json: JSONValue {
        [
            "schemaVersion": .optional(schemaVersion),
            "protocol": [.optional(protocols.lowest), .optional(protocols.highest)],
            "stateVersion": .optional(stateVersion), "mode": .string(mode), "durability": .string(durability),
            "serverVersion": .optional(serverVersion), "systemId": .optional(systemID),
            "timeline": .optional(timeline), "standbys": .optional(standbys),
            "latencyMs": .double(Double(latency.inMicroseconds) / 1_000),
            "clockSkewMs": .integer(clockSkew.inMilliseconds), "bytes": .integer(bytes),
            "oldestDay": .optional(days.first), "newestDay": .optional(days.last),
            "upkeepAgeMs": .optional(upkeepAge?.inMilliseconds),
        ]
    }
}

extension FleetOverview.Agent {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "id": .integer(id), "state": .string(state.rawValue), "version": .string(version),
            "protocol": .optional(protocolVersion), "region": .string(region), "place": .string(place),
            "pid": .optional(pid), "capacity": .optional(capacity), "holding": .optional(holding),
            "beatAgeMs": .integer(beatAge.inMilliseconds), "uptimeMs": .integer(uptime.inMilliseconds),
            "cores": .optional(load.cores), "residentBytes": .optional(load.residentBytes),
            "claimP99Ms": .optional(load.claimP99.map { Double($0.inMicroseconds) / 1_000 }),
            "queue": .optional(load.queue), "spoolBytes": .optional(load.spoolBytes),
            "failing": .optional(load.failing),
        ]
    }
}

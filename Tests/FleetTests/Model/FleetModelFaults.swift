import Fleet
import ModeledStore

/// Faults: what is drawn, and the end of all of them.
extension FleetModel {
    /// The next fault; none in the last minute.
    mutating func beginFault() {
        guard now < plan.span - .seconds(75) else { return settle() }
        let fault = plan.kinds[draw(plan.kinds.count)]
        faults[fault, default: 0] += 1
        apply(fault, slot: draw(processes.count))
        schedule(.fault, in: milliseconds(4_000))
    }

    private mutating func apply(_ fault: FleetFault, slot: Int) {
        let span = milliseconds(plan.areOutagesLong ? 60_000 : 20_000)
        switch fault {
        case .pause: processes[slot].standsUntil = now + span
        case .freeze where processes[slot].standsUntil <= now:
            processes[slot].standsUntil = now + span
            processes[slot].stood += span
        case .freeze: break
        case .kill: kill(slot)
        case .killAmid: processes[slot].effectsLeft = draw(6)
        case .end: end(slot)
        case .lateCalls, .lostAnswers, .doubleCalls, .slowClaims, .breaks, .spool: troubles[fault] = now + span
        case .drain:
            let present = store.model.tables.agents.keys.filter { store.model.tables.isAtWork($0) }.sorted()
            if !present.isEmpty { store.model.tables.agents[present[draw(present.count)]]?.isDraining = true }
            schedule(.endDrain, in: span)
        case .wallClock: processes[slot].wallOffset += happens(50) ? plan.wallStep : .zero - plan.wallStep
        case .list: changeList()
        case .versions: changeVersion(slot)
        case .cut, .cutCalls, .cutAnswers, .cutTracker, .cutOrigin: cut(fault, slot, for: span)
        case .restart, .failover, .oldPrimary, .standbyAway, .standbyUnheard, .storeClock: strike(fault, for: span)
        }
    }

    /// What is between an agent and others.
    private mutating func cut(_ fault: FleetFault, _ slot: Int, for span: Duration) {
        switch fault {
        case .cutCalls: processes[slot].cuts[.there] = now + span
        case .cutAnswers: processes[slot].cuts[.back] = now + span
        case .cutTracker: processes[slot].trackerCut = (direction: happens(50) ? .there : .back, until: now + span)
        case .cutOrigin: processes[slot].originCutUntil = now + span
        default: processes[slot].cutUntil = now + span
        }
    }

    /// What happens to the servers.
    private mutating func strike(_ fault: FleetFault, for span: Duration) {
        switch fault {
        case .restart:
            store.restart(keeping: draw(store.pending.count + 1))
            store.downUntil = now + milliseconds(plan.areOutagesLong ? 60_000 : 4_000)
        case .failover:
            store.promote()
            store.downUntil = now + milliseconds(4_000)
        case .oldPrimary:
            store.promote(formerUntil: now + span)
            store.downUntil = now + milliseconds(4_000)
        case .standbyAway: store.standbyAwayUntil = now + milliseconds(plan.areOutagesLong ? 60_000 : 6_000)
        case .standbyUnheard: store.standbyUnheardUntil = now + milliseconds(plan.areOutagesLong ? 60_000 : 6_000)
        default: store.clockOffset += happens(50) ? .seconds(3_600) : .seconds(-3_600)
        }
    }

    mutating func kill(_ slot: Int) {
        guard processes[slot].isAlive else { return }
        processes[slot].isAlive = false
        let isSamePlace = happens(50)
        schedule(.restart(slot: slot, isSamePlace: isSamePlace), in: milliseconds(12_000))
    }

    /// Whether the process is killed before its next effect, or was before.
    mutating func isKilledAmid(_ slot: Int) -> Bool {
        guard processes[slot].isAlive else { return true }
        guard let left = processes[slot].effectsLeft else { return false }
        processes[slot].effectsLeft = left > 0 ? left - 1 : nil
        if left == 0 { kill(slot) }
        return left == 0
    }

    private mutating func end(_ slot: Int) {
        guard processes[slot].isAlive, processes[slot].standsUntil <= now else { return }
        let clock = processes[slot].clock(at: now)
        perform(processes[slot].agent.endAsked(at: clock), slot)
        let isSamePlace = happens(50)
        schedule(.restart(slot: slot, isSamePlace: isSamePlace), in: FleetAgent.endLimit + milliseconds(12_000))
    }

    /// An operator changes the list. Numbers of changes are never used twice, also where a failover lost one.
    private mutating func changeList() {
        let viewers = store.model.tables.viewers.keys.sorted()
        guard let last = viewers.last else { return }
        changes += 1
        switch draw(3) {
        case 0 where last < plan.viewers + 2: addViewer(last + 1)
        case 1:
            let viewer = viewers[draw(last)]
            store.model.tables.viewers[viewer]?.channel?.url = "address\(changes)"
            store.model.tables.viewers[viewer]?.changed = changes
        default:
            let viewer = viewers[draw(last)]
            store.model.tables.viewers[viewer]?.isRemoved.toggle()
            store.model.tables.viewers[viewer]?.changed = changes
        }
        store.model.tables.change = changes
    }

    private mutating func addViewer(_ number: Int) {
        var viewer = StoreTables.Viewer()
        viewer.channel = Self.channel(number)
        viewer.changed = changes
        store.model.tables.viewers[number] = viewer
    }

    static func channel(_ number: Int) -> FollowedChannel {
        FollowedChannel(id: number, name: "ch\(number)", url: "address")
    }

    /// An upgrade goes on: it is finished where all agents at work know the later version, or a process is replaced by one of the other version.
    private mutating func changeVersion(_ slot: Int) {
        let atWork = store.model.tables.agents.values.filter { !$0.isFenced }
        if happens(30), atWork.allSatisfy({ $0.stateVersion == Self.laterVersion }) {
            store.model.tables.stateVersion = Self.laterVersion
            // A later program may save sessions in another way and talk as the earlier one does: then the version of its states alone keeps that
            // one away from them.
            if plan.seed.isMultiple(of: 2) { store.model.tables.protocols = Self.laterVersion...Self.laterVersion }
            return
        }
        versions[slot] = 1 + Self.laterVersion - versions[slot]
        kill(slot)
    }

    /// The process ends, and a person starts one of the later version.
    mutating func wasNotAdmitted(_ slot: Int) {
        notAdmitted += 1
        versions[slot] = Self.laterVersion
        kill(slot)
    }

    static var laterVersion: Int { 2 }

    /// Everything is well from now on.
    private mutating func settle() {
        troubles = [:]
        store.former = nil
        (store.standbyAwayUntil, store.standbyUnheardUntil) = (now, now)
        for slot in processes.indices {
            processes[slot].cutUntil = now
            processes[slot].cuts = [:]
            processes[slot].trackerCut = nil
            processes[slot].originCutUntil = now
            processes[slot].effectsLeft = nil
        }
        guard plan.has(.versions) else { return }
        // The upgrade is finished everywhere: what later versions saved can be read by all that follow.
        for slot in processes.indices where processes[slot].version < Self.laterVersion {
            versions[slot] = Self.laterVersion
            kill(slot)
        }
    }
}

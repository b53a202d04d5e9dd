import Fleet
import Ports

/// The child tasks of ``FleetRuntime/run()``, and what the agent learns of what came of them.
extension FleetRuntime {
    /// Sessions have a group of their own: to end, a task looks for itself among all that began before it in its group.
    func carryOutJobs() async {
        await withDiscardingTaskGroup { sessions in
            await withDiscardingTaskGroup { others in
                for await job in jobs {
                    switch job {
                    case .session: sessions.addTask { await self.perform(job) }
                    case .call: others.addTask(executorPreference: executor) { await self.perform(job) }
                    default: others.addTask { await self.perform(job) }
                    }
                }
                sessions.cancelAll()
                others.cancelAll()
                await abandon()
            }
        }
    }

    /// Not isolated to this actor, which hundreds of sessions ask for claims: it only learns what came of the job. A call begins in the queue of
    /// the actor, so that no step of it waits behind sessions.
    @concurrent private nonisolated func perform(_ job: Job) async {
        switch job {
        case .call(let call, let number): await replied(await store.perform(call), to: call, number)
        case .session(let follower):
            await follower.group?.run()
            if follower.group != nil { await sessionEnded(follower) }
        case .release(let follower, let undecided): await release(follower, undecided: undecided)
        case .stop(let group): await group.stop()
        case .read: await readSessions()
        case .pictures: await takePictures()
        case .spool(let change): await keep(change)
        case .hints: for await _ in store.hints { await hinted() }
        case .ticks:
            while (try? await time.sleep(untilUptime: time.now().uptime + Self.tick)) != nil { await ticked() }
        }
    }

    private func hinted() { act { $0.hinted(at: $1) } }

    private func replied(_ reply: StoreReply, to call: StoreCall, _ number: Int) {
        switch reply {
        case .answered(let answer, let hasWarning):
            lineOfCall[number] = nil
            if case .started = answer { life.wasAdmitted = true }
            if case .taken(let viewers) = answer { noteSealed(viewers) }
            if case .refused(.notDurable) = answer { storeLines.failed(.notDurable, ofClaim: call.isClaim) }
            act { $0.answered(answer, number: number, hasWarning: hasWarning, at: $1) }
        case .failed(let failure):
            let problem = lineOfCall[number] == nil ? failure.ofDroppedCall(after: agent.timing.answer) : failure
            counters.storeErrors[problem.state, default: 0] += 1
            if case .start = call, !life.wasAdmitted, problem.lasts(after: storeLines.absenceProblem) {
                life.problem = problem
                return jobSink.finish()
            }
            storeLines.failed(problem, ofClaim: call.isClaim)
            act { $0.failed(number: number, at: $1) }
        }
    }

    private func ticked() {
        act { $0.ticked(at: $1) }
        let now = time.now().uptime
        if pictures.begins(at: now, isWatched: !agent.watched.isEmpty) { jobSink.yield(.pictures) }
        if let change = nextSpoolChange() { jobSink.yield(.spool(change)) }
        guard now >= nextReading, !isReading else { return }
        nextReading = now + Self.readingInterval
        meter.read(at: now)
        isReading = true
        jobSink.yield(.read)
    }

    private func readSessions() async {
        for follower in followers.values { await read(follower) }
        isReading = false
    }
}

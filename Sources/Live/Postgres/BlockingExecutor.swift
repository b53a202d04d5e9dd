import Dispatch

/// Runs an actor whose work waits for a socket or a disk on a queue of its own, so that no thread of the others is held.
final class BlockingExecutor: SerialExecutor {
    /// Where the actor runs.
    let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

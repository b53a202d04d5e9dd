package import Dispatch

/// Runs an actor on a queue of its own: one whose work waits for a socket or a disk holds no thread of the others, and one that must answer
/// at once does not wait until the others had their turn. Child tasks can begin there as well.
package final class QueueExecutor: SerialExecutor, TaskExecutor {
    /// Where the actor runs.
    package let queue: DispatchQueue

    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
        }
    }

    package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

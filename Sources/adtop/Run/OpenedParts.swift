import Live
import Ports

/// What a run of one session, of many or of an agent has opened, and how that is closed.
struct OpenedParts {
    /// A recording, and the name that reports of it begin with; nil where there is one session.
    struct Recording {
        let session: String?
        let file: RecordingFile
    }

    let client: LiveHTTPTransport
    let log: LogFile?
    var metrics: MetricsServer?
    /// Their cookies are kept.
    var requests: [SessionRequests] = []
    var recordings: [Recording] = []
    var events: EventStream?
    var plugins: [PluginRunner] = []

    /// Closes all; nothing that hangs holds it up. What is lost is reported.
    func close(at time: any TimeSource) async {
        for plugin in plugins { plugin.killAll() }
        async let connections = WayOut.within(WayOut.closing) {
            await metrics?.stop()
            await client.shutdown()
        }
        let left = WayOut.left(for: .files)
        async let recorded = finishRecordings(within: left)
        async let written = events?.finish(within: left)
        async let logged = log?.finish(within: left)
        for problem in await recorded + [written, logged].compactMap({ $0 }) { Output.loss(problem) }
        _ = await connections
        SessionRequests.keepCookies(of: requests, at: time.now().wall).forEach(Output.loss)
    }

    /// In the order of the sessions.
    private func finishRecordings(within limit: Duration) async -> [String] {
        await withTaskGroup(of: (Int, String?).self) { tasks in
            for (index, recording) in recordings.enumerated() {
                tasks.addTask {
                    (index, await recording.file.finish(within: limit).map { "\(recording.file.path): \($0)" })
                }
            }
            var problems: [Int: String] = [:]
            for await (index, problem) in tasks { problems[index] = problem }
            return problems.sorted { $0.key < $1.key }.map { index, problem in
                recordings[index].session.map { "\($0): \(problem)" } ?? problem
            }
        }
    }
}

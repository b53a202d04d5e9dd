import Ports

/// Keeps the order of requests on the wire: of those in one lane to one host, each is written after the one before it
/// was written, failed or was given up on. No request waits for an answer.
///
/// Turns are taken in the order in which effects are started; the requests themselves run at the same time.
struct SendLanes {
    /// The lane of a request and its host.
    private struct Place: Hashable {
        var lane: String
        var host: String
        var port: Int?
    }

    /// One request's place in the order.
    struct Turn: Sendable {
        fileprivate let number: Int
        /// Ends when the request before it is on the wire; nil for the first.
        fileprivate let before: AsyncStream<Void>?
        fileprivate let written: AsyncStream<Void>.Continuation

        /// The request is on the wire, or will never be. Further calls do nothing.
        func isWritten() { written.finish() }

        /// Waits for the request before, at most as long as a connection may take: if it is not made by then, the order
        /// is lost anyway.
        func come(_ time: any TimeSource, patience: Duration) async {
            guard let before else { return }
            let limit = time.now().uptime + patience
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in before {} }
                // A sleep that is cancelled has nothing to wait for any more.
                group.addTask { try? await time.sleep(untilUptime: limit) }
                await group.next()
                group.cancelAll()
            }
        }
    }

    private var last: [Place: (number: Int, written: AsyncStream<Void>)] = [:]
    private var lastNumber = 0

    /// The turn of a request that is handed over now; nil without a lane.
    mutating func turn(for request: HTTPRequest) -> Turn? {
        guard let place = Self.place(of: request) else { return nil }
        lastNumber += 1
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        defer { last[place] = (lastNumber, stream) }
        return Turn(number: lastNumber, before: last[place]?.written, written: continuation)
    }

    /// The request has ended.
    mutating func ended(_ turn: Turn, of request: HTTPRequest) {
        turn.isWritten()
        guard let place = Self.place(of: request), last[place]?.number == turn.number else { return }
        last[place] = nil
    }

    private static func place(of request: HTTPRequest) -> Place? {
        request.lane.map { Place(lane: $0, host: request.url.host, port: request.url.port) }
    }
}

import Hummingbird
import Locks
import Logging
import NIOCore
import OriginServer
import Ports

/// Serves metrics on loopback: `GET /metrics` returns the text, everything else is 404. The server starts and stops
/// only once.
final class MetricsServer: Sendable {
    private let port: Int
    private let text: @Sendable () async -> String
    private let task = Locked<Task<Void, Never>?>(nil)

    /// - Parameter port: port on 127.0.0.1; 0 selects a free port.
    init(port: Int, text: @escaping @Sendable () async -> String) {
        self.port = port
        self.text = text
    }

    /// Returns the port once connections are accepted.
    func start() async throws(ListenProblem) -> Int {
        let (ports, bound) = AsyncThrowingStream.makeStream(of: Int.self)
        let application = makeApplication(bound)
        // Ended by `stop`, which waits for it, or by a failed bind.
        task.withLock {
            $0 = Task {
                do {
                    try await application.run()
                    bound.finish()
                } catch {
                    bound.finish(throwing: error)
                }
            }
        }
        do {
            for try await port in ports { return port }
        } catch {
            throw ListenProblem(port: port, code: (error as? IOError)?.errnoCode)
        }
        throw ListenProblem(port: port, code: nil)
    }

    func stop() async {
        let running = task.withLock { $0 }
        running?.cancel()
        await running?.value
    }

    private static func isLocal(_ authority: String?) -> Bool {
        ["127.0.0.1", "localhost"].contains(authority?.prefix { $0 != ":" }.lowercased())
    }

    private func makeApplication(
        _ bound: AsyncThrowingStream<Int, any Error>.Continuation
    ) -> some ApplicationProtocol {
        let router = Router()
        router.get("metrics") { [text] request, _ in
            // A page whose name resolves to this machine must not read it (DNS rebinding).
            guard Self.isLocal(request.head.authority) else { return Response(status: .forbidden) }
            var fields = HTTPFields()
            fields[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
            return Response(
                status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: await text())))
        }
        return Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                await ListeningSocket.closeOnExec(channel)
                bound.yield(channel.localAddress?.port ?? self.port)
            },
            // The scraper reports a scrape that fails.
            logger: Logger(label: "adtop.metrics", factory: { _ in SwiftLogNoOpLogHandler() }))
    }
}

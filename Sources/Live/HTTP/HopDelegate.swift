import AsyncHTTPClient
import Locks
import NIOCore
import NIOHTTP1
import Ports

/// Collects one answer: the times of its phases, its head, and its body up to the limit.
final class HopDelegate: HTTPClientResponseDelegate {
    typealias Response = Void

    /// Why reading stopped before the end of the body.
    enum Stop: Error {
        case bodyTooLarge, bodyCut, noConnection
    }

    /// The state so far.
    struct Record {
        var requestSent: NIODeadline?
        var headReceived: NIODeadline?
        var finished: NIODeadline?
        var status: Int?
        var version: HTTPProtocolVersion?
        var fields: [HTTPField] = []
        var body: [UInt8] = []
        var bodyBytes = 0
        var stop: Stop?
    }

    private let maximumBodyBytes: Int
    private let cutsLongBody: Bool
    private let onWritten: @Sendable () -> Void
    private let contents = Locked(Record())

    /// - Parameter onWritten: called when the head of the request was written.
    init(maximumBodyBytes: Int, cutsLongBody: Bool, onWritten: @escaping @Sendable () -> Void) {
        self.onWritten = onWritten
        self.maximumBodyBytes = maximumBodyBytes
        self.cutsLongBody = cutsLongBody
    }

    var record: Record { contents.withLock { $0 } }

    /// Stops the request if it still waits for its connection; for the connect timeout.
    func stopUnlessConnected(_ task: HTTPClient.Task<Void>) {
        let isWaiting = contents.withLock { record in
            guard record.requestSent == nil else { return false }
            record.stop = .noConnection
            return true
        }
        if isWaiting { task.fail(reason: Stop.noConnection) }
    }

    func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
        contents.withLock { $0.requestSent = .now() }
        onWritten()
    }

    func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        let length = head.headers.first(name: "content-length").flatMap(Int.init) ?? 0
        let isTooLong = contents.withLock { record in
            record.headReceived = .now()
            record.status = Int(head.status.code)
            record.version = head.version.major == 2 ? .two : .one
            record.fields = head.headers.map { HTTPField($0.name, $0.value) }
            guard length > maximumBodyBytes, !cutsLongBody, !Self.isRedirect(record) else { return false }
            record.stop = .bodyTooLarge
            return true
        }
        return isTooLong ? task.eventLoop.makeFailedFuture(Stop.bodyTooLarge) : task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        let stop: Stop? = contents.withLock { record in
            // Parts still in the pipeline after the stop are ignored.
            if let stop = record.stop { return stop }
            record.bodyBytes += buffer.readableBytes
            record.body += buffer.readableBytesView.prefix(maximumBodyBytes - record.body.count)
            if record.bodyBytes > maximumBodyBytes {
                record.stop = cutsLongBody || Self.isRedirect(record) ? .bodyCut : .bodyTooLarge
            }
            return record.stop
        }
        return stop.map { task.eventLoop.makeFailedFuture($0) } ?? task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) {
        contents.withLock { $0.finished = .now() }
    }

    /// The body of a redirect is not used, so it cannot be too long.
    private static func isRedirect(_ record: Record) -> Bool {
        record.status.map { (300..<400).contains($0) } ?? false
    }
}

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
        /// A compressed body that cannot be inflated, or is too large then.
        case bodyBroken, inflatedTooLarge
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

    /// Most bytes that room is made for on the word of a server.
    private static let mostReserved = 256 << 10

    private let maximumBodyBytes: Int
    private let cutsLongBody: Bool
    private let onWritten: @Sendable () -> Void
    private let contents = Locked(Contents())

    fileprivate struct Contents {
        var record = Record()
        /// Nil where the body is not compressed, and in a redirect, whose body is not used.
        var inflater: BodyInflater?
    }

    /// - Parameter onWritten: called when the head of the request was written.
    init(maximumBodyBytes: Int, cutsLongBody: Bool, onWritten: @escaping @Sendable () -> Void) {
        self.onWritten = onWritten
        self.maximumBodyBytes = maximumBodyBytes
        self.cutsLongBody = cutsLongBody
    }

    var record: Record { contents.withLock { $0.record } }

    /// Stops the request if it still waits for its connection; for the connect timeout.
    func stopUnlessConnected(_ task: HTTPClient.Task<Void>) {
        let isWaiting = contents.withLock { contents in
            guard contents.record.requestSent == nil else { return false }
            contents.record.stop = .noConnection
            return true
        }
        if isWaiting { task.fail(reason: Stop.noConnection) }
    }

    func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
        contents.withLock { $0.record.requestSent = .now() }
        onWritten()
    }

    func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        let length = head.headers.first(name: "content-length").flatMap(Int.init) ?? 0
        let coding = head.headers[canonicalForm: "content-encoding"].first ?? ""
        let isTooLong = contents.withLock { contents in
            contents.record.note(head)
            guard !contents.record.isRedirect else { return false }
            contents.inflater = BodyInflater(coding: coding)
            // What is kept of a feed is then no larger than its text.
            if contents.inflater == nil, length > 0 {
                contents.record.body.reserveCapacity(min(length, maximumBodyBytes, Self.mostReserved))
            }
            guard length > maximumBodyBytes, !cutsLongBody else { return false }
            contents.record.stop = .bodyTooLarge
            return true
        }
        return isTooLong ? task.eventLoop.makeFailedFuture(Stop.bodyTooLarge) : task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        let stop: Stop? = contents.withLock { contents in
            // Parts still in the pipeline after the stop are ignored.
            if contents.record.stop == nil {
                contents.take(buffer, upTo: maximumBodyBytes, cutsLongBody: cutsLongBody)
            }
            return contents.record.stop
        }
        return stop.map { task.eventLoop.makeFailedFuture($0) } ?? task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) throws {
        let isBroken = contents.withLock { contents in
            contents.record.finished = .now()
            guard let inflater = contents.inflater, !inflater.isComplete, !cutsLongBody else { return false }
            contents.record.stop = .bodyBroken
            return true
        }
        if isBroken { throw Stop.bodyBroken }
    }
}

extension HopDelegate.Contents {
    /// Adds a part of the body as it was received. A broken body is cut where only its beginning is read: the answer is valid all the same.
    fileprivate mutating func take(_ buffer: ByteBuffer, upTo limit: Int, cutsLongBody: Bool) {
        guard let inflater else {
            return record.take(buffer.readableBytesView, upTo: limit, cutsLongBody: cutsLongBody)
        }
        inflater.append(buffer.readableBytesView)
        do throws(BodyInflater.Problem) {
            while record.stop == nil, let piece = try inflater.next() {
                record.take(piece, upTo: limit, cutsLongBody: cutsLongBody)
            }
        } catch {
            record.stop = cutsLongBody ? .bodyCut : error == .tooLong ? .inflatedTooLarge : .bodyBroken
        }
    }
}

extension HopDelegate.Record {
    /// The body of a redirect is not used, so it cannot be too long.
    fileprivate var isRedirect: Bool { status.map { (300..<400).contains($0) } ?? false }

    fileprivate mutating func note(_ head: HTTPResponseHead) {
        headReceived = .now()
        status = Int(head.status.code)
        version = head.version.major == 2 ? .two : .one
        fields = head.headers.map { HTTPField(received: $0.name, $0.value) }
    }

    fileprivate mutating func take(_ bytes: some Collection<UInt8>, upTo limit: Int, cutsLongBody: Bool) {
        bodyBytes += bytes.count
        body += bytes.prefix(limit - body.count)
        if bodyBytes > limit { stop = cutsLongBody || isRedirect ? .bodyCut : .bodyTooLarge }
    }
}

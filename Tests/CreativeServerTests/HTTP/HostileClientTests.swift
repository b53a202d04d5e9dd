import CreativeCache
import Foundation
import NIOCore
import NIOEmbedded
import NIOSSL
import Ports
import TestSupport
import Testing

@testable import CreativeServer

/// Slow clients and clients with large requests: the handlers of one connection with a clock that the test advances.
@Suite struct HostileClientTests {
    private static let creative = [UInt8](repeating: 0x61, count: 2 << 20)
    private let channel = EmbeddedChannel()
    private let shelf: CreativeShelf

    init() throws {
        shelf = CreativeShelf(
            limits: StoreLimits(), rules: LoopbackRules(), wallClock: { UnixTime(milliseconds: 1_800_000_000_000) })
        shelf.put(
            CachedCreative(
                id: try #require(CreativeID("a")), kind: .banner, content: CachedCreative.Content(body: Self.creative)))
        try connect(channel, tls: nil)
    }

    private func connect(_ channel: EmbeddedChannel, tls: NIOSSLContext?) throws {
        let handlers = LoopbackServer.handlers(
            shelf, LoopbackServer.Configuration(), tls, ConnectionFacts(at: channel.embeddedEventLoop.now))
        try channel.pipeline.syncOperations.addHandlers(handlers)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
    }

    private static let request = "GET /a HTTP/1.1\r\nHost: localhost:16257\r\n\r\n"
    private static let unknown = "GET /b HTTP/1.1\r\nHost: localhost:16257\r\n\r\n"

    private func send(_ text: String) throws {
        try channel.writeInbound(ByteBuffer(string: text))
    }

    /// Text of the answers written since the last call.
    private func answers() throws -> String {
        var bytes = ByteBuffer()
        while let part = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(var buffer) = part { bytes.writeBuffer(&buffer) }
        }
        return String(buffer: bytes)
    }

    /// Four bytes per second never make a connection idle.
    private func trickle(_ text: String, seconds: Int) throws {
        var rest = text[...]
        for _ in 0..<seconds where channel.isActive {
            try send(String(rest.prefix(4)))
            rest = rest.dropFirst(4)
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        }
    }

    @Test func aHeadThatNeverEndsIsGivenUpAfterHalfAMinute() throws {
        let head = "GET /a HTTP/1.1\r\nHost: localhost:16257\r\nX: " + String(repeating: "x", count: 1_000)
        try trickle(head, seconds: 29)
        #expect(channel.isActive)
        try trickle(head, seconds: 1)
        #expect(!channel.isActive)
    }

    @Test func aBodyThatNeverEndsIsGivenUp() throws {
        try send("POST /cache HTTP/1.1\r\nHost: localhost:16257\r\nContent-Length: 1000000\r\n\r\n")
        try trickle(String(repeating: " ", count: 1_000), seconds: 31)
        #expect(!channel.isActive)
        #expect(try answers() == "")
    }

    @Test func aHandshakeThatNeverEndsIsGivenUp() throws {
        let folder = try TemporaryFolder()
        let certificates = try LocalCertificates(
            folder: folder.file("tls"), wallClock: { UnixTime(milliseconds: 1_800_000_000_000) })
        let secure = EmbeddedChannel()
        try connect(secure, tls: try certificates.identity().context)
        // A ClientHello of 508 bytes, sent byte by byte.
        var hello: [UInt8] = [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03]
        hello += Array(repeating: 0, count: 40)
        for (second, byte) in hello.enumerated() where secure.isActive {
            #expect(second <= 30)
            try secure.writeInbound(ByteBuffer(bytes: [byte]))
            secure.embeddedEventLoop.advanceTime(by: .seconds(1))
        }
        #expect(!secure.isActive)
    }

    @Test func aRefusedClientThatGoesOnSendingIsGivenUp() throws {
        try send("POST /cache HTTP/1.1\r\nHost: localhost:16257\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(try answers().hasPrefix("HTTP/1.1 400 Bad request\r\n"))
        try trickle(String(repeating: " ", count: 1_000), seconds: 31)
        #expect(!channel.isActive)
    }

    @Test(arguments: ["Transfer-Encoding: chunked", "Content-Length: 1048577", "Upgrade: h2c"])
    func aRefusedHeadGetsNoBody(field: String) throws {
        try send("HEAD /a HTTP/1.1\r\nHost: localhost:16257\r\n\(field)\r\n\r\n")
        let answer = try answers()
        #expect(answer.hasPrefix("HTTP/1.1 4") && answer.hasSuffix("\r\n\r\n"))
    }

    /// A request that its client did not complete is not logged as a bad request.
    @Test func aClientThatLeavesIsNotBlamed() throws {
        try send("POST /cache HTTP/1.1\r\nHost: localhost:16257\r\nContent-Length: 5\r\n\r\n{")
        _ = try channel.finish()
        #expect(try answers() == "" && shelf.accessLog(after: 0).count == 0)
    }

    /// Each request has its own half minute, so a page that sends requests now and then keeps its connection.
    @Test func aConnectionLivesLongerThanOneExchange() throws {
        for _ in 0..<20 {
            try trickle(Self.unknown, seconds: 12)
            #expect(try answers().hasPrefix("HTTP/1.1 404 Not found\r\n"))
        }
        #expect(channel.isActive)
    }

    /// One read contains a thousand requests for two megabytes each: each is answered after the previous answer was
    /// sent.
    @Test func answersWaitForTheClientToTakeThem() throws {
        let path = NarrowPath()
        try channel.pipeline.syncOperations.addHandler(path, position: .first)
        try send(String(repeating: Self.unknown, count: 500))
        // Half a head, its other half, and another request, while all of them wait.
        try send(String(Self.unknown.prefix(20)))
        try send(String(Self.unknown.dropFirst(20)) + Self.unknown)
        for number in 1...502 {
            #expect(try answers().components(separatedBy: "HTTP/1.1 404").count == 2, "answer \(number)")
            // Nothing is read while a request waits.
            #expect(path.reads == (number == 502 ? 1 : 0))
            if number == 1 { channel.pipeline.read() }
            channel.isWritable = true
            channel.pipeline.fireChannelWritabilityChanged()
        }
        #expect(try answers() == "" && channel.isActive)
    }

    @Test func whoNeverTakesAnAnswerIsGivenUp() throws {
        try channel.pipeline.syncOperations.addHandler(NarrowPath(), position: .first)
        try send(Self.request)
        for _ in 0..<30 {
            try send(Self.request)
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        }
        #expect(!channel.isActive)
    }
}

/// A socket whose buffer is full after each answer, and which counts read requests.
private final class NarrowPath: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData
    private(set) var reads = 0

    func flush(context: ChannelHandlerContext) {
        context.flush()
        (context.channel as? EmbeddedChannel)?.isWritable = false
    }

    func read(context: ChannelHandlerContext) {
        reads += 1
        context.read()
    }
}

import CreativeCache
import NIOCore

/// Precedes the HTTP decoder and passes on the head of one request at a time, complete and within its size. Input that
/// the decoder would accept leniently (folded fields, a request line of two or four parts) is rejected, and a method in
/// lower case is converted to the form that the decoder requires (CACHE-4).
///
/// The decoder determines the framing: the handler that receives the head sets `bodyBytes`, so that the guard knows
/// where the next head begins.
///
/// While a client has unread answers, no further request of its connection is passed on or read, because a single read
/// can contain a thousand requests for the largest creative.
final class HeadGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Sent when a head is rejected.
    struct Refused {
        let refusal: LoopbackRefusal
    }

    /// Length of the body that follows the head that was passed on; set while the decoder processes it.
    var bodyBytes = 0
    /// Whether the connection is about to close, so that nothing more is passed on.
    private(set) var isClosed = false

    /// Most bytes read from a client that keeps sending after a rejection, so that it can see the answer.
    private static let maximumDiscarded = 16 << 20
    /// Empty lines before a request line are skipped, as RFC 9112 2.2 requires.
    private static let maximumEmptyLines = 4

    private var head = ByteBuffer()
    private var bodyLeft = 0
    private var discarded = 0
    /// Whether `head` may contain a complete request that waits until answers are read.
    private var isHolding = false
    /// Whether a read was requested meanwhile.
    private var isReadWanted = false

    func close() { isClosed = true }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if isHolding {
            head.writeBuffer(&bytes)
        } else {
            take(&bytes, context)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isHolding, context.channel.isWritable {
            isHolding = false
            var bytes = head
            head = ByteBuffer()
            take(&bytes, context)
            if !isHolding, isReadWanted {
                isReadWanted = false
                context.read()
            }
        }
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        if isHolding {
            isReadWanted = true
        } else {
            context.read()
        }
    }

    private func take(_ bytes: inout ByteBuffer, _ context: ChannelHandlerContext) {
        while bytes.readableBytes > 0 {
            if isClosed { return discard(bytes.readableBytes, context) }
            if bodyLeft > 0 {
                passBody(&bytes, context)
            } else if context.channel.isWritable {
                takeHead(&bytes, context)
            } else {
                isHolding = true
                head.writeBuffer(&bytes)
            }
        }
    }

    private func discard(_ count: Int, _ context: ChannelHandlerContext) {
        discarded += count
        if discarded > Self.maximumDiscarded { context.close(promise: nil) }
    }

    private func passBody(_ bytes: inout ByteBuffer, _ context: ChannelHandlerContext) {
        guard let part = bytes.readSlice(length: min(bodyLeft, bytes.readableBytes)) else { return }
        bodyLeft -= part.readableBytes
        context.fireChannelRead(wrapInboundOut(part))
    }

    /// Collects bytes up to the empty line, then passes them on.
    private func takeHead(_ bytes: inout ByteBuffer, _ context: ChannelHandlerContext) {
        let before = head.readableBytes
        if before == 0 {
            // The remainder of many requests received at once is not copied for each of them.
            swap(&head, &bytes)
            bytes = ByteBuffer()
        } else {
            head.writeBuffer(&bytes)
        }
        skipEmptyLines()
        let view = head.readableBytesView
        guard let end = Self.end(of: view, from: max(0, before - 3)) else {
            if view.count > LoopbackRules.maximumHeaderBytes { refuse(.headerTooLong, context) }
            return
        }
        guard end <= LoopbackRules.maximumHeaderBytes else { return refuse(.headerTooLong, context) }
        guard var whole = head.readSlice(length: end), Self.isWellFormed(whole.readableBytesView) else {
            return refuse(.badRequest, context)
        }
        bytes = head
        head = ByteBuffer()
        Self.capitalizeMethod(&whole)
        bodyBytes = 0
        context.fireChannelRead(wrapInboundOut(whole))
        bodyLeft = bodyBytes
    }

    private func refuse(_ refusal: LoopbackRefusal, _ context: ChannelHandlerContext) {
        isClosed = true
        head = ByteBuffer()
        context.fireUserInboundEventTriggered(Refused(refusal: refusal))
    }

    private func skipEmptyLines() {
        var lines = 0
        while lines < Self.maximumEmptyLines, head.readableBytesView.starts(with: [0x0D, 0x0A]) {
            head.moveReaderIndex(forwardBy: 2)
            lines += 1
        }
    }

    /// The length up to and including the empty line; nil while it is incomplete.
    private static func end(of view: ByteBufferView, from offset: Int) -> Int? {
        var index = view.startIndex + min(offset, view.count)
        while let feed = view[index...].firstIndex(of: 0x0A) {
            let rest = view[(feed + 1)...]
            if rest.first == 0x0A { return feed + 2 - view.startIndex }
            if rest.starts(with: [0x0D, 0x0A]) { return feed + 3 - view.startIndex }
            index = feed + 1
        }
        return nil
    }

    /// Whether the first line has three parts and a supported version, and no line is folded.
    private static func isWellFormed(_ view: ByteBufferView) -> Bool {
        guard let end = view.firstIndex(of: 0x0A) else { return false }
        let line = view[..<end].last == 0x0D ? view[..<(end - 1)] : view[..<end]
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].first == UInt8(ascii: "/"), parts[0].allSatisfy(isLetter),
            parts[2].elementsEqual("HTTP/1.1".utf8) || parts[2].elementsEqual("HTTP/1.0".utf8)
        else { return false }
        var rest = view[end...].dropFirst()
        while let feed = rest.firstIndex(of: 0x0A) {
            if rest.first == 0x20 || rest.first == 0x09 { return false }
            rest = rest[(feed + 1)...]
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func capitalizeMethod(_ head: inout ByteBuffer) {
        var index = head.readerIndex
        while let byte = head.getInteger(at: index, as: UInt8.self), byte != 0x20 {
            if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) { head.setInteger(byte & ~0x20, at: index) }
            index += 1
        }
    }
}

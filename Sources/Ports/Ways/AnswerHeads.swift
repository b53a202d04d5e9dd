/// Finds the heads among the bytes of the answers over one connection of HTTP/1, and rewrites the odd ones (``AnswerHead``). All other bytes
/// are passed on as they are, also those of heads that are too long or are none: the parser behind it judges them.
package struct AnswerHeads {
    /// Longest head that is rewritten.
    package static let longest = 80 << 10

    /// Whether bytes belong to a head, and not to a body or to nothing that was asked for.
    package private(set) var isInHead = false
    private var head: [UInt8] = []
    /// Whether an interim head of the answer was odd.
    private var wasOdd = false

    /// For a connection that has carried nothing yet.
    package init() {}

    /// A request was written: an answer is next. Requests follow each other only after whole answers.
    package mutating func requestWritten() {
        guard !isInHead else { return }
        (isInHead, wasOdd) = (true, false)
    }

    /// Takes the bytes of heads from the front.
    /// - Returns: the bytes to pass on, and how many of `bytes` they replace. Those behind follow as they are.
    package mutating func received(_ bytes: some Collection<UInt8>) -> (text: [UInt8], used: Int) {
        guard isInHead else { return ([], 0) }
        var text: [UInt8] = []
        var used = 0
        for byte in bytes {
            used += 1
            head.append(byte)
            switch progress {
            case .more: continue
            case .ended: end(&text)
            case .none:
                text += head
                head = []
            case .unknown:
                text += left()
            }
            if !isInHead { break }
        }
        return (text, used)
    }

    /// The connection has ended: what was kept of a head.
    package mutating func left() -> [UInt8] {
        defer { (head, isInHead) = ([], false) }
        return head
    }

    private mutating func end(_ text: inout [UInt8]) {
        let head = AnswerHead(self.head, followsOdd: wasOdd)
        self.head = []
        text += head.text
        (isInHead, wasOdd) = (head.isInterim, head.isInterim && (wasOdd || head.isOdd))
    }

    private enum Progress {
        case more, ended
        /// An empty line before the head, which parsers skip.
        case none
        /// Something else, or too long.
        case unknown
    }

    /// What the last byte of the head so far makes of it.
    private var progress: Progress {
        guard let last = head.last else { return .more }
        let count = head.count
        if count == 1, last == 0x0A || last == 0x0D { return .none }
        if count <= Self.start.count, last != Self.start[count - 1] { return .unknown }
        if last == 0x0A, head[count - 2] == 0x0A || head[count - 2] == 0x0D && head[count - 3] == 0x0A { return .ended }
        return count < Self.longest ? .more : .unknown
    }

    private static let start = Array("HTTP/1.".utf8)
}

package import Screen

/// Turns the bytes of a terminal into events: a state machine that reads nothing and has no clock.
///
/// It understands CSI and SS3 keys with modifiers, CSI-u and modifyOtherKeys, SGR and X10 mouse reports, focus reports,
/// bracketed paste, UTF-8 and Alt chords, and the keys that terminfo names. A sequence it does not know is dropped
/// whole, so that none of its bytes acts as a key. How the bytes are cut into reads changes nothing; only time does,
/// because a lone Escape and the start of a sequence look alike (TERM-14, TERM-15, TERM-16).
package struct InputDecoder: Sendable {
    /// How long a byte sequence that may be a key of its own (Esc, Alt-[) waits for more.
    package static let escapeTimeout = Duration.milliseconds(40)
    /// How long a sequence that has begun for certain waits for its end, before it is dropped.
    package static let sequenceTimeout = Duration.seconds(1)
    /// How long a paste waits for more text before it counts as ended.
    package static let pasteTimeout = Duration.seconds(5)
    /// Longest control sequence kept; of a longer one the rest is skipped.
    package static let sequenceLimit = 64

    private enum Mode: Sendable {
        case ground
        case paste(PasteBuffer)
        /// Inside OSC, DCS, APC, PM or SOS: a reply, up to BEL or ST.
        case string(TerminalReply)
        /// After `sequenceLimit` bytes of a control sequence: skipped up to its final byte.
        case skippingSequence
    }

    private let seeds: TerminfoKeys
    private var mode = Mode.ground
    private var pending: [UInt8] = []
    private var lastRead = Duration.zero

    /// A decoder that also knows the keys of a terminfo entry.
    package init(seeds: TerminfoKeys = .none) {
        self.seeds = seeds
    }

    /// Takes bytes read at `now` and gives the events they complete.
    package mutating func feed(_ bytes: some Collection<UInt8>, at now: Duration) -> [InputEvent] {
        lastRead = now
        pending += bytes
        var events: [InputEvent] = []
        var index = 0
        while index < pending.count, advance(&index, into: &events) {}
        pending.removeFirst(index)
        return events
    }

    /// When `expire` has to be called unless more bytes come; nil when nothing is pending.
    package var deadline: Duration? {
        switch mode {
        case .ground: pending.isEmpty ? nil : lastRead + (mayBeKey ? Self.escapeTimeout : Self.sequenceTimeout)
        case .paste: lastRead + Self.pasteTimeout
        case .string, .skippingSequence: lastRead + Self.sequenceTimeout
        }
    }

    /// Resolves what is pending once its time is over; does nothing before.
    package mutating func expire(at now: Duration) -> [InputEvent] {
        guard let deadline, now >= deadline else { return [] }
        var events: [InputEvent] = []
        switch mode {
        case .paste(let buffer):
            events.append(.paste(buffer.text))
        case .ground:
            events = expirePending()
        case .string, .skippingSequence:
            break
        }
        mode = .ground
        pending.removeAll()
        return events
    }

    /// Whether the pending bytes are also a key press on their own.
    private var mayBeKey: Bool {
        guard pending.first == Byte.escape else { return false }
        return pending.count <= 2 || pending.count == 3 && pending[1] == Byte.escape
    }

    private func expirePending() -> [InputEvent] {
        guard mayBeKey else { return [] }
        let escape = InputEvent.key(KeyPress(.escape))
        switch pending.count {
        case 1: return [escape]
        case 2 where pending[1] == Byte.escape: return [escape, escape]
        case 2: return chord(pending[1])
        default: return [escape] + chord(pending[2])
        }
    }

    private func chord(_ byte: UInt8) -> [InputEvent] {
        guard case .event(let event, _) = PlainKey.step(at: [byte]), let event else { return [] }
        return [event.adding(.meta)]
    }

    /// Consumes from `index` on; false when more bytes are needed.
    private mutating func advance(_ index: inout Int, into events: inout [InputEvent]) -> Bool {
        switch mode {
        case .ground:
            return advanceGround(&index, into: &events)
        case .paste(var buffer):
            let ended = buffer.append(pending, from: &index)
            mode = ended ? .ground : .paste(buffer)
            if ended { events.append(.paste(buffer.text)) }
            return true
        case .string(let reply):
            return advance(reply, &index, into: &events)
        case .skippingSequence:
            let byte = pending[index]
            // An escape starts the next sequence; everything else up to the final byte belongs to the overlong one.
            if byte != Byte.escape { index += 1 }
            if byte == Byte.escape || (0x40...0x7E).contains(byte) { mode = .ground }
            return true
        }
    }

    private mutating func advanceGround(_ index: inout Int, into events: inout [InputEvent]) -> Bool {
        switch step(at: pending[index...]) {
        case .wait:
            return false
        case .event(let event, let count):
            if let event { events.append(event) }
            index += count
        case .paste(let count):
            mode = .paste(PasteBuffer())
            index += count
        case .string(let count):
            index += count
            mode = .string(TerminalReply(introducedBy: pending[index - 1]))
        case .overlong(let count):
            mode = .skippingSequence
            index += count
        }
        return true
    }

    private mutating func advance(
        _ reply: TerminalReply, _ index: inout Int, into events: inout [InputEvent]
    ) -> Bool {
        switch pending[index] {
        case Byte.bell:
            end(reply, into: &events)
        case Byte.cancel, Byte.substitute:
            mode = .ground
        case Byte.escape:
            guard index + 1 < pending.count else { return false }
            guard pending[index + 1] == UInt8(ascii: "\\") else {
                mode = .ground
                return true
            }
            end(reply, into: &events)
            index += 1
        case let byte:
            var reply = reply
            reply.append(byte)
            mode = .string(reply)
        }
        index += 1
        return true
    }

    private mutating func end(_ reply: TerminalReply, into events: inout [InputEvent]) {
        mode = .ground
        if let event = reply.event { events.append(event) }
    }
}

extension InputDecoder {
    /// What the bytes at one place are.
    enum Step: Equatable {
        /// That many bytes are this event, or are ignored.
        case event(InputEvent?, Int)
        /// That many bytes start a bracketed paste.
        case paste(Int)
        /// That many bytes start a string that ends with BEL or ST.
        case string(Int)
        /// That many bytes are the start of a sequence longer than `sequenceLimit`.
        case overlong(Int)
        /// More bytes are needed.
        case wait
    }

    private func step(at bytes: ArraySlice<UInt8>) -> Step {
        guard bytes.first == Byte.escape else { return PlainKey.step(at: bytes) }
        if let match = seeds.match(bytes) { return .event(.key(match.key), match.length) }
        if seeds.isPrefix(bytes) { return .wait }
        let rest = bytes.dropFirst()
        guard let second = rest.first else { return .wait }
        switch second {
        case UInt8(ascii: "["): return ControlSequence.step(at: bytes)
        case UInt8(ascii: "O"): return SingleShift.step(at: bytes)
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            return rest.count == 1 ? .wait : .string(2)
        case Byte.escape: return doubleEscape(rest)
        default: return prefixed(PlainKey.step(at: rest))
        }
    }

    /// `rest` starts with the second escape: rxvt writes Alt-Up as ESC ESC [ A; anything else is Escape and the next
    /// key.
    private func doubleEscape(_ rest: ArraySlice<UInt8>) -> Step {
        guard let third = rest.dropFirst().first else { return .wait }
        guard third == UInt8(ascii: "[") || third == UInt8(ascii: "O") else {
            return .event(.key(KeyPress(.escape)), 1)
        }
        return prefixed(step(at: rest))
    }

    /// The step behind one more escape: the key is pressed with Alt.
    private func prefixed(_ step: Step) -> Step {
        switch step {
        case .event(let event, let count): .event(event?.adding(.meta), count + 1)
        case .paste(let count): .paste(count + 1)
        case .string(let count): .string(count + 1)
        case .overlong(let count): .overlong(count + 1)
        case .wait: .wait
        }
    }
}

extension InputEvent {
    /// The same key with more modifiers; other events as they are.
    func adding(_ modifiers: Modifiers) -> InputEvent {
        guard case .key(let press) = self else { return self }
        return .key(KeyPress(normalizing: press.key, press.modifiers.union(modifiers)))
    }
}

/// Bytes with a meaning of their own.
enum Byte {
    static let bell: UInt8 = 0x07
    static let cancel: UInt8 = 0x18
    static let substitute: UInt8 = 0x1A
    static let escape: UInt8 = 0x1B
    static let delete: UInt8 = 0x7F
}

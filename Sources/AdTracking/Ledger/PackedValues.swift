package import Ports

/// Writes values one behind another in few bytes; ``PackedReader`` reads them in the same order. Small numbers and short texts take few
/// bytes, and equal values have equal bytes.
package struct PackedWriter {
    private var written: [UInt8] = []

    /// A writer that has written nothing.
    package init() {}

    /// What was written, without room for more.
    package var bytes: [UInt8] { written.withUnsafeBufferPointer { Array($0) } }

    /// Seven bits a byte, the lowest first.
    package mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            written.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        written.append(UInt8(truncatingIfNeeded: rest))
    }

    /// The sign comes last, so that small negative numbers are short too.
    package mutating func write(_ number: Int64) { write(UInt64(bitPattern: number << 1 ^ number >> 63)) }
    /// As 64 bits, on every machine.
    package mutating func write(_ number: Int) { write(Int64(number)) }

    /// Its length in UTF-8, and its bytes.
    package mutating func write(_ text: String) {
        write(UInt64(text.utf8.count))
        written.append(contentsOf: text.utf8)
    }

    /// - Parameter usual: what the text mostly is: it then takes one byte.
    package mutating func write(_ text: String?, usual: String?) {
        guard text != usual else { return write(0 as UInt64) }
        write(text == nil ? 1 : 2 as UInt64)
        if let text { write(text) }
    }

    /// Exactly; a span of whole microseconds takes one byte more than its parts.
    package mutating func write(_ span: Duration) {
        let (seconds, attoseconds) = span.components
        write(seconds)
        write(attoseconds / Self.attosecondsPerMicrosecond)
        write(attoseconds % Self.attosecondsPerMicrosecond)
    }

    /// Both clocks.
    package mutating func write(_ moment: Moment) {
        write(moment.wall.microseconds)
        write(moment.uptime)
    }

    /// One byte if there is no value, and one more than the value takes if there is.
    package mutating func write<Value>(_ value: Value?, _ body: (inout Self, Value) -> Void) {
        write(value == nil ? 0 : 1 as UInt64)
        if let value { body(&self, value) }
    }

    /// A date in few bytes, if it is near one that the reader has.
    mutating func write(_ date: UnixTime, since other: UnixTime) { write(date.microseconds &- other.microseconds) }

    /// One byte.
    mutating func write(_ flag: Bool) { write(flag ? 1 : 0 as UInt64) }

    /// Its place among all cases.
    mutating func write<Value: CaseIterable & Equatable>(case value: Value) where Value.AllCases == [Value] {
        write(UInt64(Value.allCases.firstIndex(of: value) ?? 0))
    }

    /// Their number, and what `body` writes of each.
    mutating func write<Values: Collection>(each values: Values, _ body: (inout Self, Values.Element) -> Void) {
        write(UInt64(values.count))
        for value in values { body(&self, value) }
    }

    /// What differs from a text that the reader has: the URLs of an ad differ in few characters.
    mutating func write(_ text: String, like other: String) {
        let start = zip(text.utf8, other.utf8).prefix { $0 == $1 }.count
        let (rest, otherRest) = (text.utf8.dropFirst(start), other.utf8.dropFirst(start))
        let end = zip(rest.reversed(), otherRest.reversed()).prefix { $0 == $1 }.count
        write(UInt64(start))
        write(UInt64(end))
        write(bytes: Array(rest.dropLast(end)))
    }

    /// Their number, and the bytes.
    mutating func write(bytes: [UInt8]) {
        write(UInt64(bytes.count))
        written += bytes
    }

    fileprivate static let attosecondsPerMicrosecond: Int64 = 1_000_000_000_000
}

/// Reads what a ``PackedWriter`` wrote. Behind the end all numbers are 0, and texts are empty.
package struct PackedReader {
    private let bytes: [UInt8]
    private var place = 0

    /// - Parameter bytes: those of a writer.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A number without a sign.
    package mutating func unsigned() -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            number |= UInt64(byte & 0x7F) << shift
            guard byte >= 0x80 else { break }
            shift += 7
        }
        return number
    }

    /// A number with a sign.
    package mutating func int64() -> Int64 {
        let number = unsigned()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// A number with a sign, of this machine.
    package mutating func int() -> Int { Int(clamping: int64()) }

    /// A text.
    package mutating func text() -> String {
        String(decoding: nextBytes(), as: UTF8.self)
    }

    /// A text or none, written with the same `usual`.
    package mutating func text(usual: String?) -> String? {
        switch unsigned() {
        case 0: usual
        case 1: nil
        default: text()
        }
    }

    /// A span.
    package mutating func duration() -> Duration {
        let seconds = int64()
        let microseconds = int64()
        let attoseconds = int64()
        return Duration(
            secondsComponent: seconds,
            attosecondsComponent: microseconds * PackedWriter.attosecondsPerMicrosecond + attoseconds)
    }

    /// Both clocks.
    package mutating func moment() -> Moment {
        let wall = UnixTime(microseconds: int64())
        return Moment(wall: wall, uptime: duration())
    }

    /// What ``PackedWriter/write(_:_:)`` wrote.
    package mutating func optional<Value>(_ body: (inout Self) -> Value) -> Value? {
        unsigned() == 0 ? nil : body(&self)
    }

    mutating func time(since other: UnixTime) -> UnixTime { UnixTime(microseconds: other.microseconds &+ int64()) }

    mutating func flag() -> Bool { unsigned() != 0 }

    mutating func value<Value: CaseIterable>() -> Value where Value.AllCases == [Value] {
        let cases = Value.allCases
        return cases[min(Int(clamping: unsigned()), cases.count - 1)]
    }

    mutating func each<Value>(_ body: (inout Self) -> Value) -> [Value] { (0..<unsigned()).map { _ in body(&self) } }

    mutating func text(like other: String) -> String {
        let (start, end) = (Int(clamping: unsigned()), Int(clamping: unsigned()))
        let middle = nextBytes()
        if middle.isEmpty, end == 0, start == other.utf8.count { return other }
        return String(decoding: Array(other.utf8.prefix(start)) + middle + other.utf8.suffix(end), as: UTF8.self)
    }

    /// What ``PackedWriter/write(bytes:)`` wrote.
    mutating func nextBytes() -> ArraySlice<UInt8> {
        let count = Int(clamping: unsigned())
        let end = min(place.addingSaturating(count), bytes.count)
        defer { place = end }
        return bytes[place..<end]
    }
}

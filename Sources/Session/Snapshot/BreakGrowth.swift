import AdTracking
package import Ports

/// How a break came to be what it is: what each document changed in it.
package struct BreakGrowth: Sendable, Equatable {
    /// The steps as bytes: as values they would take more memory than the beacons of a break that grows.
    private var packed: [UInt8] = []
    /// Number of steps after the first that are not kept.
    package var omitted = 0

    package init() {}

    /// In order; the first is the one that brought the break.
    package var steps: [GrowthStep] {
        get {
            guard !packed.isEmpty else { return [] }
            var reader = PackedReader(packed)
            return (0..<reader.unsigned()).map { _ in GrowthStep(&reader) }
        }
        set {
            var writer = PackedWriter()
            writer.write(UInt64(newValue.count))
            for step in newValue { step.write(to: &writer) }
            packed = newValue.isEmpty ? [] : writer.bytes
        }
    }
}

/// What one document changed in a break.
package struct GrowthStep: Sendable, Equatable {
    /// Number of the answer among the metadata answers of the session; nil where no poll brought it: the answer that opened
    /// the session or that a ping got, and what the media shows.
    package var poll: Int?
    /// Number of the ping whose answer brought it, from 1 in its session; nil for any other.
    package var ping: Int?
    package var at: Moment
    /// Ads that are new, by name; unredacted text from outside. At most ``namesKept``.
    package var newAds: [String] = []
    package var newAdCount = 0
    /// New events of ads that were known.
    package var newEventCount = 0
    /// Ads and events that are not listed any more, and those that are listed again.
    package var vanishedCount = 0
    package var returnedCount = 0
    /// URLs of events that were added, replaced or removed.
    package var changedURLCount = 0
    /// How far the start of the break moved.
    package var moved: Duration?
    /// Length of the break before, and after.
    package var length: Lengths?
    /// How far the viewer was beyond the start of what is new, at most; nil when nothing is late.
    package var late: Duration?

    package struct Lengths: Sendable, Equatable {
        /// Nil for the document that brought the break.
        package var from: Duration?
        package var to: Duration

        package init(from: Duration?, to: Duration) {
            (self.from, self.to) = (from, to)
        }
    }

    /// Most names kept of one document.
    package static let namesKept = 8

    package init(poll: Int?, ping: Int? = nil, at: Moment) {
        (self.poll, self.ping, self.at) = (poll, ping, at)
    }

    /// Whether it changed nothing that is reported.
    package var isEmpty: Bool { self == GrowthStep(poll: poll, ping: ping, at: at) }
}

extension GrowthStep {
    fileprivate func write(to writer: inout PackedWriter) {
        writer.write(poll) { $0.write($1) }
        writer.write(ping) { $0.write($1) }
        writer.write(at)
        writer.write(UInt64(newAds.count))
        for name in newAds { writer.write(name) }
        for count in [newAdCount, newEventCount, vanishedCount, returnedCount, changedURLCount] { writer.write(count) }
        writer.write(moved) { $0.write($1) }
        writer.write(length) { writer, length in
            writer.write(length.from) { $0.write($1) }
            writer.write(length.to)
        }
        writer.write(late) { $0.write($1) }
    }

    fileprivate init(_ reader: inout PackedReader) {
        let poll = reader.optional { $0.int() }
        let ping = reader.optional { $0.int() }
        self.init(poll: poll, ping: ping, at: reader.moment())
        newAds = (0..<reader.unsigned()).map { _ in reader.text() }
        newAdCount = reader.int()
        newEventCount = reader.int()
        vanishedCount = reader.int()
        returnedCount = reader.int()
        changedURLCount = reader.int()
        moved = reader.optional { $0.duration() }
        length = reader.optional { reader in
            let from = reader.optional { $0.duration() }
            return Lengths(from: from, to: reader.duration())
        }
        late = reader.optional { $0.duration() }
    }
}

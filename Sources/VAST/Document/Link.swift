/// An address in a document with the id it may carry: an impression, a click tracker, a landing page.
package struct Link: Hashable, Sendable {
    package var id: String?
    /// As written, trimmed; macros unexpanded, nothing encoded or decoded. Empty where the element is.
    package var url: String
    package var position: SourcePosition

    package init(id: String? = nil, url: String, position: SourcePosition = .start) {
        self.id = id
        self.url = url
        self.position = position
    }
}

/// One `Tracking` element.
package struct Tracking: Hashable, Sendable {
    /// As written, except that a known name in another case is put right.
    package var event: String
    /// The `offset` attribute as written.
    package var offset: String?
    package var url: String
    package var position: SourcePosition

    package init(event: String, offset: String? = nil, url: String, position: SourcePosition = .start) {
        self.event = event
        self.offset = offset
        self.url = url
        self.position = position
    }
}

/// A `progress` tracker of a linear creative.
package struct ProgressTracking: Hashable, Sendable {
    /// As written.
    package var offset: String
    /// Nil when the offset is unusable; then it never fires.
    package var point: TimeOffset?
    package var url: String
    package var position: SourcePosition
}

/// A moment in a creative: a time from its start, or a share of its duration.
package enum TimeOffset: Hashable, Sendable {
    case milliseconds(Int64)
    /// 100 is the end; fractions count.
    case percent(Double)

    /// Milliseconds from the start of a creative of that length; nil for a share of an unknown length
    /// (VAST 3.0 section 2.3.2.3: ignored then).
    package func milliseconds(ofDuration duration: Int64?) -> Int64? {
        switch self {
        case .milliseconds(let value): return value
        case .percent(let percent):
            guard let duration else { return nil }
            return Int64(exactly: (Double(duration) * percent / 100).rounded())
        }
    }
}

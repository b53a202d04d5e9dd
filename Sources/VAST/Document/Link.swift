/// A URL in a document with its optional id: an impression, a click tracker, a landing page.
package struct Link: Hashable, Sendable {
    package var id: String?
    /// The URL as written, trimmed; macros are not expanded, nothing is encoded or decoded. Empty when the element is.
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
    /// The event name as written, except for white space around it and the case of a known name.
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

extension Tracking {
    /// When a `timeSpentViewing` tracker fires (VAST 4.0); nil for other events, and without a readable offset.
    package var viewingPoint: TimeOffset? {
        event == EventName.timeSpentViewing.rawValue ? offset.flatMap(ValueReader.offset) : nil
    }
}

/// A `progress` tracker of a linear creative.
package struct ProgressTracking: Hashable, Sendable {
    /// As written.
    package var offset: String
    /// Nil when the offset is unreadable; then the tracker never fires.
    package var point: TimeOffset?
    package var url: String
    package var position: SourcePosition
}

/// A position in a creative: a time from its start, or a percentage of its duration.
package enum TimeOffset: Hashable, Sendable {
    case milliseconds(Int64)
    /// 0 to 100, fractions included; 100 is the end.
    case percent(Double)

    /// Milliseconds from the start of a creative of that duration; nil for a percentage of an unknown duration, which
    /// is ignored (VAST 3.0 section 2.3.2.3).
    package func milliseconds(ofDuration duration: Int64?) -> Int64? {
        switch self {
        case .milliseconds(let value): return value
        case .percent(let percent):
            guard let duration else { return nil }
            return Int64(exactly: (Double(duration) * percent / 100).rounded())
        }
    }
}

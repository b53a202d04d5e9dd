package import Ports

/// One tracking event of an ad as metadata plans it. The state of its URLs is in the ``Ledger``.
///
/// A session has thousands of these and copies them with each document: what hardly any event has is kept apart, so that the others take no
/// room for it.
package struct TrackingEvent: Hashable, Sendable {
    package let type: EventType
    /// Whether the viewer's action counts only between `start` and `end`. Windows in metadata have no meaning (lint
    /// L34).
    package var isWindowed = false
    /// Whether the service that inserted the ad reports it itself: it is shown and never sent (TRK-27, PRV-16).
    package var isReportedByService = false
    /// Whether its URLs verify ids that the media carries (PRV-47): whatever else metadata calls the event, each is one beacon.
    package var isVerification = false
    /// Whether a date range lists it, and not the metadata (TRK-29).
    package var isSignaled = false
    /// Media date at which the event is due; for a span, the start of its window.
    package var start: UnixTime
    /// Zero for an instant; impressions and user events have the ad's length.
    package var duration: Duration
    /// URLs as written and in order, including unusable ones.
    package var urls: [String]
    /// Empty for an event that has none of it.
    private var rest: [Rest] = []

    package init(
        type: EventType, rawName: String? = nil, start: UnixTime, duration: Duration = .zero, urls: [String] = [],
        macros: BeaconMacros? = nil, extras: JSONObject = JSONObject()
    ) {
        self.type = type
        self.start = start
        self.duration = duration
        self.urls = urls
        let rest = Rest(
            rawName: rawName == type.rawValue ? nil : rawName?.withoutNUL, macros: macros, sharedURLs: [],
            extras: extras)
        if !rest.isEmpty { self.rest = [rest] }
    }

    private struct Rest: Hashable, Sendable {
        /// Nil where it is that of the type.
        var rawName: String?
        var macros: BeaconMacros?
        var sharedURLs: [String] = []
        var extras = JSONObject()

        var isEmpty: Bool { rawName == nil && macros == nil && sharedURLs.isEmpty && extras.members.isEmpty }
    }

    private mutating func change(_ body: (inout Rest) -> Void) {
        if rest.isEmpty { rest = [Rest()] }
        body(&rest[0])
        if rest[0].isEmpty { rest = [] }
    }

    /// What identities and the journal call it.
    package var identityName: String { isVerification ? EventType.mediaVerification.rawValue : rawName }
    package var eventClass: EventClass { type.eventClass }
    package var end: UnixTime { start + duration }
    package var isSpan: Bool { duration > .zero }
}

extension TrackingEvent {
    /// The name in metadata.
    package var rawName: String {
        get { rest.first?.rawName ?? type.rawValue }
        set {
            guard newValue != rawName else { return }
            let ownName = newValue == type.rawValue ? nil : newValue
            change { $0.rawName = ownName }
        }
    }
    /// Values for the macros in the URLs, filled when they are claimed; nil for metadata, whose URLs are ready.
    package var macros: BeaconMacros? { rest.first?.macros }
    /// Those of its URLs that metadata and a date range both list: two parties may report them.
    package var sharedURLs: [String] {
        get { rest.first?.sharedURLs ?? [] }
        set { if newValue != sharedURLs { change { $0.sharedURLs = newValue } } }
    }
    /// Unsupported members, such as `prftStartTime`.
    package var extras: JSONObject {
        get { rest.first?.extras ?? JSONObject() }
        set { if newValue != extras { change { $0.extras = newValue } } }
    }
}

/// As one of the events of an ad that is past; ``TrackingEvent/macros`` and ``TrackingEvent/extras`` are not written.
extension TrackingEvent {
    /// - Parameters:
    ///   - date: one near the event.
    ///   - other: a URL of the same ad.
    func write(to writer: inout PackedWriter, since date: UnixTime, like other: String) {
        writer.write(case: type)
        for flag in [isWindowed, isReportedByService, isVerification, isSignaled] { writer.write(flag) }
        writer.write(start, since: date)
        writer.write(duration)
        writer.write(each: urls) { $0.write($1, like: other) }
        writer.write(rawName, usual: type.rawValue)
        writer.write(each: sharedURLs) { $0.write($1, like: other) }
    }

    /// The date and the URL are those that it was written with.
    init(_ reader: inout PackedReader, since date: UnixTime, like other: String) {
        let type: EventType = reader.value()
        let flags = (reader.flag(), reader.flag(), reader.flag(), reader.flag())
        let (start, duration) = (reader.time(since: date), reader.duration())
        let urls = reader.each { $0.text(like: other) }
        self.init(type: type, rawName: reader.text(usual: type.rawValue), start: start, duration: duration, urls: urls)
        (isWindowed, isReportedByService, isVerification, isSignaled) = flags
        sharedURLs = reader.each { $0.text(like: other) }
    }
}

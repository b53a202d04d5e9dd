import AdTracking
import Ports

/// Short forms for test tables; times are in milliseconds.
extension UnixTime {
    static func ms(_ milliseconds: Int64) -> UnixTime { UnixTime(milliseconds: milliseconds) }
}

extension Moment {
    /// A moment with both clocks at `milliseconds`.
    static func ms(_ milliseconds: Int64) -> Moment {
        Moment(wall: .ms(milliseconds), uptime: .milliseconds(milliseconds))
    }
}

extension AdBreak {
    static func test(_ name: String?, _ start: Int64, _ duration: Int64, _ ads: [Ad] = []) -> AdBreak {
        AdBreak(name: name, start: .ms(start), duration: .milliseconds(duration), ads: ads)
    }
}

extension Ad {
    static func test(_ name: String?, _ start: Int64, _ duration: Int64, _ events: [TrackingEvent] = []) -> Ad {
        Ad(name: name, start: .ms(start), duration: .milliseconds(duration), events: events)
    }

    /// The events of a complete creative: impression as a span, quartiles, complete, and the eight user events as
    /// spans.
    static func full(_ name: String, _ start: Int64, _ length: Int64) -> Ad {
        let quarters = (0...4).map { start + (length * $0 + 2) / 4 }
        let names: [EventType] = [.start, .firstQuartile, .midpoint, .thirdQuartile, .complete]
        let points = zip(names, quarters).map { TrackingEvent.test($0, $1, url: "https://t.example/\(name)/\($0)") }
        let spans = ([.impression] + UserAction.allCases.map(EventType.init)).map {
            TrackingEvent.test($0, start, length, url: "https://t.example/\(name)/\($0)")
        }
        return .test(name, start, length, spans + points)
    }
}

extension TrackingEvent {
    static func test(
        _ type: EventType, _ start: Int64, _ duration: Int64 = 0, url: String? = nil, rawName: String? = nil
    ) -> TrackingEvent {
        TrackingEvent(
            type: type, rawName: rawName, start: .ms(start), duration: .milliseconds(duration),
            urls: [url ?? "https://t.example/\(rawName ?? type.rawValue)"])
    }
}

extension DecodedMetadata {
    static func test(_ breaks: [AdBreak], range: ClosedRange<Int64>? = nil) -> DecodedMetadata {
        DecodedMetadata(
            dataRange: range.flatMap { DataRange(start: .ms($0.lowerBound), end: .ms($0.upperBound)) }, breaks: breaks)
    }
}

extension HTTPExchange {
    static func answer(_ status: Int, _ body: String = "", url: String = "https://t.example/", type: String? = nil)
        -> Self
    {
        HTTPExchange(
            hops: [Hop(url: url, status: status, fields: type.map { [HTTPField("Content-Type", $0)] } ?? [])],
            body: Array(body.utf8))
    }

    static func failure(_ kind: HTTPFailure.Kind) -> Self {
        HTTPExchange(failure: HTTPFailure(kind, "\(kind)"))
    }
}

package import Ports
package import VAST

/// Values for the macros in an event's URLs (VAST 4.3 section 6).
///
/// A beacon's identity is the URL as written, so cache busters and clocks do not change its identity or its journal
/// entry. Macros are filled once, when the beacon is claimed: a retry repeats exactly the same request, so a server
/// that received the first can recognise the repeat (ADR 0007).
package struct BeaconMacros: Hashable, Sendable {
    /// Values known since the ad was placed.
    package var values: MacroValues
    package var context: MacroExpander.Context

    package init(values: MacroValues, context: MacroExpander.Context) {
        self.values = values
        self.context = context
    }

    /// Values known only when the beacon is claimed.
    package struct Occasion: Hashable, Sendable {
        package var at: Moment
        /// Time within the ad at which the event was due; nil outside an ad.
        package var adPlayhead: Duration?
        /// VAST error code; nil when nothing failed.
        package var errorCode: Int?

        package init(at moment: Moment, adPlayhead: Duration? = nil, errorCode: Int? = nil) {
            at = moment
            self.adPlayhead = adPlayhead
            self.errorCode = errorCode
        }
    }

    /// The URL to request.
    /// - Parameter random: value for CACHEBUSTING; one number per URL.
    package func filled(_ template: String, on occasion: Occasion, random: UInt64) -> String {
        var values = values
        values[.timestamp] = .timestamp(occasion.at.wall)
        values[.cacheBusting] = .eightDigits(random)
        if let playhead = occasion.adPlayhead {
            values[.adPlayhead] = .playhead(milliseconds: playhead.inMilliseconds)
        }
        if let code = occasion.errorCode { values[.errorCode] = .number(code) }
        return PercentEncoding.requestTarget(MacroExpander(values: values).url(template, in: context))
    }
}

package import Ports
package import VAST

/// What fills the macros in the URLs of an event (VAST 4.3 section 6).
///
/// A beacon is the URL as written, so its identity and the journal do not change with cache busters and clocks. Macros
/// are filled when it is claimed, once: a retry repeats the very request, so that a server that got the first can tell
/// (ADR 0007).
package struct BeaconMacros: Hashable, Sendable {
    /// Known since the ad was placed.
    package var values: MacroValues
    package var context: MacroExpander.Context

    package init(values: MacroValues, context: MacroExpander.Context) {
        self.values = values
        self.context = context
    }

    /// What only the moment of claiming knows.
    package struct Occasion: Hashable, Sendable {
        package var at: Moment
        /// Time of the ad that was played; nil outside of it.
        package var adPlayhead: Duration?
        /// VAST error code, where something failed.
        package var errorCode: Int?

        package init(at moment: Moment, adPlayhead: Duration? = nil, errorCode: Int? = nil) {
            at = moment
            self.adPlayhead = adPlayhead
            self.errorCode = errorCode
        }
    }

    /// The URL to request.
    /// - Parameter random: for CACHEBUSTING; one number for each URL.
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

package import Ports
package import VAST

/// Converts resolved VAST ads into the ads that the engine tracks.
package enum DecidedAd {
    /// Makes an ad that plays.
    /// - Parameters:
    ///   - breakStart: start of the break on the timeline.
    ///   - values: macro values of the session and the break.
    package static func ad(_ place: PodLayout.Place, breakStart: UnixTime, values: MacroValues) -> Ad {
        let start = breakStart + place.offset
        let resolved = place.ad
        let frame = DecidedEvents.Frame(
            start: start, creativeEnd: start + .milliseconds(resolved.durationMilliseconds ?? 0),
            values: self.values(of: place, over: values))
        return Ad(
            name: name(of: resolved), start: start, duration: place.duration,
            events: DecidedEvents.events(of: TrackingPlan(resolved), in: frame),
            clickThrough: resolved.linears.first?.clickThrough?.value.url)
    }

    /// Makes an ad that does not play, with its error URLs and the reason.
    package static func ad(_ loss: PodLayout.Loss, at time: UnixTime, values: MacroValues) -> Ad {
        let urls = loss.ad.errors.map(\.value.url).filter { !$0.isEmpty }
        return failure(
            name(of: loss.ad), code: loss.code, message: loss.message, urls: urls, context: .error, at: time,
            values: self.values(of: loss.ad, over: values))
    }

    /// Makes a failure that belongs to no ad, such as a tag that returned none.
    /// - Parameter name: distinguishes it from others of the break.
    package static func failure(
        _ name: String?, code: Int, message: String, urls: [String], context: MacroExpander.Context, at time: UnixTime,
        values: MacroValues
    ) -> Ad {
        var values = values
        values[.errorCode] = .number(code)
        var events: [TrackingEvent] = []
        if !urls.isEmpty {
            events = [
                TrackingEvent(
                    type: .error, start: time, urls: urls, macros: BeaconMacros(values: values, context: context))
            ]
        }
        var ad = Ad(name: name, start: time, duration: .zero, events: events)
        ad.notPlayed = AdLoss(code: code, message: message)
        return ad
    }

    private static func name(of ad: ResolvedAd) -> String? {
        ad.ad.id.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Macro values of an ad that plays.
    package static func values(of place: PodLayout.Place, over base: MacroValues) -> MacroValues {
        let files = place.ad.linears.first?.linear.mediaFiles ?? []
        let chosen = place.media.chosen.flatMap { files.indices.contains($0) ? files[$0].url : nil }
        var values = values(of: place.ad, over: base, assetURL: chosen)
        values[.adCount] = .number(place.number)
        return values
    }

    /// The values of the break, with those that the ad itself determines.
    private static func values(of ad: ResolvedAd, over base: MacroValues, assetURL: String? = nil) -> MacroValues {
        var values = base
        values[.adType] = nil
        return ad.fill(values, assetURL: assetURL)
    }
}

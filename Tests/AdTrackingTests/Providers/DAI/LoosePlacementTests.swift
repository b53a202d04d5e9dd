import Ports
import Testing

@testable import AdTracking

/// Ids that are no event of an ad, and events that get an id, found as by a search through all (PRV-46, PRV-47).
@Suite struct LoosePlacementTests {
    private static let seed: UInt64 = 0x7E57_0004

    private static func moment(_ random: inout SplitMix64) -> MediaMoment {
        let second = Int32.random(in: 0...12, using: &random)
        return Int.random(in: 0..<4, using: &random) == 0
            ? MediaMoment(.second(Double(second))) : MediaMoment(seconds: ExactDecimal(second))
    }

    /// Breaks that overlap, out of order, some without a date or a length; their ads have an event each.
    private static func breaks(_ random: inout SplitMix64) -> [ListedBreak] {
        (0..<Int.random(in: 0...6, using: &random)).map { number in
            let start = Int32.random(in: 0...10, using: &random)
            var adBreak = ListedBreak(id: "b\(number)", start: ExactDecimal(start))
            if Bool.random(using: &random) {
                adBreak.statedDuration = ExactDecimal(Int32.random(in: -1...5, using: &random))
            }
            if Bool.random(using: &random) { adBreak.date = .second(Double(start)) }
            adBreak.ads = (0..<Int.random(in: 0...2, using: &random)).map { ad in
                var ad = ListedAd(id: "a\(ad)", start: ExactDecimal(start), length: ExactDecimal(2))
                if Bool.random(using: &random) { ad.date = .second(Double(start)) }
                ad.events = ["start", "midpoint", "complete", "pause"].map {
                    ListedEvent($0, urls: Int.random(in: 0..<5, using: &random) == 0 ? ["u"] : [])
                }
                return ad
            }
            return adBreak
        }
    }

    @Test func eachIDIsInTheFirstBreakThatHasItOrInItsOwn() {
        var random = SplitMix64(seed: Self.seed)
        for round in 0..<500 {
            let breaks = Self.breaks(&random)
            let moments = (0..<8).map { _ in Self.moment(&random) }
            var (found, expected) = (breaks, breaks)
            var placement = LoosePlacement(of: moments, in: breaks)
            for (number, moment) in moments.enumerated() {
                placement.add(verifying: "v\(number)", of: "i\(number)", numbered: number, to: &found)
                Self.add("v\(number)", of: "i\(number)", at: moment, to: &expected)
            }
            #expect(found == expected, "seed \(Self.seed), round \(round)")
        }
    }

    private static func add(_ url: String, of id: String, at moment: MediaMoment, to breaks: inout [ListedBreak]) {
        func start(_ adBreak: ListedBreak) -> ExactDecimal? {
            moment.isDated ? adBreak.date.map { MediaMoment($0).seconds } : adBreak.start
        }
        let index = breaks.firstIndex { adBreak in
            guard let start = start(adBreak), let length = adBreak.length else { return false }
            let distance = moment.seconds.minus(start)
            return !distance.isNegative && distance <= length
        }
        if let index, let start = start(breaks[index]) {
            breaks[index].events.append(ListedEvent(verifying: url, at: moment.seconds.minus(start)))
        } else {
            var own = ListedBreak(id: id, start: moment.seconds, statedDuration: .zero, date: moment.date)
            own.events = [ListedEvent(verifying: url, at: .zero)]
            breaks.append(own)
        }
    }

    @Test func eachIDTakesTheNearestEventThatHasNone() {
        let near = ExactDecimal(1)
        var random = SplitMix64(seed: Self.seed)
        for round in 0..<500 {
            var breaks = Self.breaks(&random)
            var events = EventPlaces(breaks, near: near)
            for _ in 0..<12 {
                let moment = Self.moment(&random)
                let expected = Self.event(near: moment, near, in: breaks)
                #expect(events.takeNearest(to: moment) == expected, "seed \(Self.seed), round \(round)")
                if let expected { breaks[expected.adBreak].ads[expected.ad].events[expected.event].urls = ["v"] }
            }
        }
    }

    private static func event(
        near moment: MediaMoment, _ near: ExactDecimal, in breaks: [ListedBreak]
    ) -> EventPlaces.Place? {
        var nearest: (place: EventPlaces.Place, distance: ExactDecimal)?
        for (index, adBreak) in breaks.enumerated() {
            for (number, ad) in adBreak.ads.enumerated() {
                guard let start = moment.isDated ? ad.date.map({ MediaMoment($0).seconds }) : ad.start else { continue }
                for (position, event) in ad.events.enumerated() where event.urls.isEmpty {
                    guard let offset = event.offset(inLength: ad.length) else { continue }
                    let distance = start.plus(offset).distance(to: moment.seconds)
                    guard distance <= near, nearest.map({ distance < $0.distance }) ?? true else { continue }
                    nearest = (EventPlaces.Place(adBreak: index, ad: number, event: position), distance)
                }
            }
        }
        return nearest?.place
    }
}

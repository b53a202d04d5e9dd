import Ports

@testable import AdTracking
@testable import Session

/// The breaks of the mock-ups.
enum BreakSamples {
    static var first: BreakView {
        let ads = [
            ad("A1", "soda-pop-10", start: at(12, 36, 2), seconds: 15, reached: 99),
            ad("A2", "bank-card", start: at(12, 36, 17), seconds: 15, reached: 99),
        ]
        return view("B1", start: at(12, 36, 2), seconds: 30, ads: ads, hasEnded: true)
    }

    /// A break on air: A1 has ended, A2 has a failure and a pending `complete`, A3 is to come.
    static var onAir: BreakView {
        var second = ad("A2", "brandx-summer", start: at(12, 40, 46.2), seconds: 30, reached: 6)
        second.isOnAir = true
        second.clickThrough = "https://brandx.example/landing?utm_source=tv"
        second.extras = [
            ExtraView(name: "companionAds", value: "[{\"width\":300,\"height\":250}]"),
            ExtraView(name: "adSystem", value: "dsp-9"),
        ]
        second.creative = CreativeSamples.ofMetadata
        fail(&second.events[2])
        second.events += [
            user("mute", at: at(12, 40, 46.2), sentAt: moment(12, 41, 10.2)), user("unmute", at: at(12, 40, 46.2)),
            user("pause", at: at(12, 40, 46.2)), user("resume", at: at(12, 40, 46.2)),
        ]
        var third = ad("A3", "cola-15", start: at(12, 41, 16.2), seconds: 15, reached: 0)
        third.events += [user("mute", at: at(12, 41, 16.2))]
        var view = view(
            "B2", start: at(12, 40, 31.2), seconds: 60,
            ads: [ad("A1", "acme-shoes-15", start: at(12, 40, 31.2), seconds: 15, reached: 99), second, third])
        view.isOnAir = true
        return view
    }

    static var coming: BreakView {
        let ads = (0..<4).map { index in
            ad("A\(index + 1)", "spot-\(index + 1)", start: at(12, 46, Double(index) * 22.5), seconds: 22.5, reached: 0)
        }
        return view("B3", start: at(12, 46, 0), seconds: 90, ads: ads)
    }

    /// An old break with `events` events in each of its two ads.
    static func past(number: Int, of count: Int, events: Int) -> BreakView {
        let start = SnapshotSamples.playhead - .seconds(Int64(120 * (count - number + 1)))
        let ads = (0..<2).map { index in
            var view = ad(
                "A\(index + 1)", "spot-\(number)-\(index)", start: start + .seconds(Int64(15 * index)), seconds: 15,
                reached: 99)
            view.events = (0..<events).map { place in
                event("progress\(place)", start: view.start, id: "\(number)-\(index)-\(place)", sent: true)
            }
            return view
        }
        return view("B\(number)", start: start, seconds: 30, ads: ads, hasEnded: true)
    }

    /// The same break in a session that sends nothing.
    static func observed(_ view: BreakView) -> BreakView {
        var view = view
        for ad in view.ads.indices {
            for index in view.ads[ad].events.indices where view.ads[ad].events[index].state != .idle {
                view.ads[ad].events[index].state = .observed
                view.ads[ad].events[index].reason = .observeMode
                for url in view.ads[ad].events[index].urls.indices {
                    view.ads[ad].events[index].urls[url].state = .observed
                    view.ads[ad].events[index].urls[url].reason = .observeMode
                    view.ads[ad].events[index].urls[url].attempts = []
                }
            }
        }
        return view
    }
}

extension BreakSamples {
    static func at(_ hour: Int, _ minute: Int, _ second: Double) -> UnixTime {
        SnapshotSamples.at(hour, minute, second)
    }
    static func moment(_ hour: Int, _ minute: Int, _ second: Double) -> Moment {
        SnapshotSamples.moment(hour, minute, second)
    }

    static func view(
        _ label: String, start: UnixTime, seconds: Double, ads: [AdView], hasEnded: Bool = false
    ) -> BreakView {
        let duration = Duration.milliseconds(Int64(seconds * 1_000))
        return BreakView(
            id: "break-\(label)", name: "pod-\(label.lowercased())-7731", label: label, start: start,
            duration: duration,
            plannedEnd: start + duration, source: "metadata", isOnAir: false, hasEnded: hasEnded, hasVanished: false,
            ads: ads)
    }

    /// An ad with the usual seven events, of which the first `reached` were sent.
    static func ad(_ label: String, _ name: String, start: UnixTime, seconds: Double, reached: Int) -> AdView {
        let names = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
        let shares = [0, 0, 0.25, 0.5, 0.75, 1.0]
        // Five of the six when the playhead is inside the ad.
        let sent = reached == 6 ? 5 : reached
        let events = names.enumerated().map { index, name in
            event(
                name, start: start + .milliseconds(Int64(seconds * 1_000 * shares[index])), id: "\(label)-\(name)",
                sent: index < sent)
        }
        return AdView(
            id: "\(name)-id", name: name, label: label, start: start, duration: .milliseconds(Int64(seconds * 1_000)),
            isOnAir: false, hasVanished: false, clickThrough: nil, events: events, extras: [])
    }

    static func event(_ name: String, start: UnixTime, id: String, sent: Bool) -> EventView {
        let due = SnapshotSamples.now.advanced(by: start + SnapshotSamples.latency - SnapshotSamples.now.wall)
        let attempts = sent ? [attempt(due.advanced(by: .milliseconds(100)), status: 200, milliseconds: 41)] : []
        return EventView(
            id: id, event: name, start: start, duration: .zero, state: sent ? .done : .idle,
            reason: sent ? nil : .notReached, isUserTriggered: false,
            urls: [
                URLView(
                    id: id + "-0", url: "https://px.example-ssp.io/\(name)?sid=7f3a91c2&c=8812",
                    state: sent ? .acknowledged : .planned, attempts: attempts, late: sent ? .milliseconds(100) : nil)
            ])
    }

    /// Gives an event a state, and each of its URLs one from which that follows.
    static func settle(_ event: inout EventView, _ state: ReportingState) {
        event.state = state
        let url: DeliveryState =
            switch state {
            case .idle: .planned
            case .connecting: .sent
            case .done: .acknowledged
            case .failed, .partial: .rejected
            case .unknown: .unknown
            case .skipped: .skipped
            case .observed: .observed
            }
        for index in event.urls.indices { event.urls[index].state = url }
    }

    static func user(_ name: String, at start: UnixTime, sentAt: Moment? = nil) -> EventView {
        EventView(
            id: "user-\(name)", event: name, start: start, duration: .zero, state: sentAt == nil ? .idle : .done,
            reason: sentAt == nil ? .userClass : nil, isUserTriggered: true,
            urls: [
                URLView(
                    id: "user-\(name)-0", url: "https://t.example-dsp.com/v1/\(name)?id=a2",
                    state: sentAt == nil ? .planned : .acknowledged,
                    attempts: sentAt.map { [attempt($0, status: 204, milliseconds: 37)] } ?? [])
            ])
    }

    /// Three failed tries at one URL; the other succeeded after a redirect.
    static func fail(_ event: inout EventView) {
        event.state = .failed
        let tries = [(12, 41, 0.1, 198), (12, 41, 0.7, 205), (12, 41, 1.8, 212)]
        event.urls = [
            URLView(
                id: "fq-0",
                url: "https://t.example-dsp.com/v1/q1?cb=8839&id=a2&sid=7f3a91c2&pos=2&dur=30&ts=1795005653",
                state: .rejected,
                attempts: tries.map { attempt(moment($0.0, $0.1, $0.2), status: 503, milliseconds: Int64($0.3)) },
                late: .milliseconds(200)),
            URLView(
                id: "fq-1", url: "https://m.example-verify.net/e?t=fq&c=8812", state: .acknowledged,
                attempts: [redirected(moment(12, 41, 0.1))], late: .milliseconds(200)),
        ]
    }

    static func attempt(_ at: Moment, status: Int, milliseconds: Int64) -> AttemptView {
        let hop = HTTPExchange.Hop(
            url: "https://t.example-dsp.com/v1/q1", status: status,
            fields: [HTTPField("Server", "nginx"), HTTPField("Retry-After", "1")])
        return AttemptView(
            at: at,
            exchange: BeaconAnswer(
                status: status, hops: [hop],
                timings: HTTPExchange.Timings(
                    resolve: 2_000, connect: 35_000, wait: (milliseconds - 37) * 1_000, receive: 0,
                    total: milliseconds * 1_000),
                contentType: status == 200 ? "image/gif" : "text/html", bytes: status == 200 ? 43 : 0))
    }

    private static func redirected(_ at: Moment) -> AttemptView {
        AttemptView(
            at: at,
            exchange: BeaconAnswer(
                status: 200,
                hops: [
                    HTTPExchange.Hop(url: "https://m.example-verify.net/e?t=fq&c=8812", status: 302, fields: []),
                    HTTPExchange.Hop(url: "https://cdn.example-verify.net/pixel.gif", status: 200, fields: []),
                ],
                timings: HTTPExchange.Timings(resolve: nil, connect: 0, wait: 60_000, receive: 1_000, total: 61_000),
                contentType: "image/gif", bytes: 43))
    }
}

import Ports

/// Lint of an ad's events (L21 to L25, L32, L34, L40).
extension DocumentLinter {
    mutating func checkEvents(of ad: Ad, _ label: String) {
        guard !ad.events.isEmpty else { return report(.missingEvent, "\(label) has no tracking events") }
        let complete = ad.events.first { $0.type == .complete }
        checkPlaces(ad, complete, label)
        checkQuartiles(ad, complete, label)
        checkOrder(ad, label)
        checkDuplicates(ad, label)
        for event in ad.events {
            switch event.eventClass {
            case .click where !event.isSpan:
                report(.clickAsAutomatic, "\(event.rawName) of \(label) has no duration, as if it happened by playing")
            case .user where !event.isSpan:
                report(.userEventWindow, "\(event.rawName) of \(label) has no duration")
            default: break
            }
        }
    }

    /// An event behind `complete` is outside its ad; a `complete` behind the ad's final end means that the ad was cut.
    private mutating func checkPlaces(_ ad: Ad, _ complete: TrackingEvent?, _ label: String) {
        let tolerance = LintContext.tolerance
        let isSettled = isSettled(ad.plannedEnd)
        let end = max(ad.end, complete?.start ?? ad.end)
        for event in ad.events where event.eventClass == .time {
            if event.start + tolerance < ad.start {
                report(.eventOutsideAd, "\(event.rawName) lies before \(label)")
            } else if isSettled, event.start > end + tolerance {
                report(.eventOutsideAd, "\(event.rawName) lies \((event.start - end).inMilliseconds) ms after \(label)")
            }
        }
        if isSettled, let complete, complete.start > ad.end + tolerance {
            let missing = (complete.start - ad.end).inMilliseconds
            report(.adCut, "\(label) ends \(missing) ms before its complete event: it was cut")
        }
    }

    private mutating func checkQuartiles(_ ad: Ad, _ complete: TrackingEvent?, _ label: String) {
        if let complete, complete.start > ad.start {
            let length = (complete.start - ad.start).inSeconds
            for event in ad.events {
                guard let share = event.type.quartileShare else { continue }
                let place = (event.start - ad.start).inSeconds
                if abs(place - share * length) > LintContext.tolerance.inSeconds {
                    let percent = Int64(exactly: (place / length * 100).rounded()) ?? 0
                    report(.quartilePosition, "\(event.rawName) of \(label) lies at \(percent) %")
                }
            }
        }
        let expected: [EventType] = [.start, .firstQuartile, .midpoint, .thirdQuartile, .complete]
        let missing = expected.filter { type in !ad.events.contains { $0.type == type } }
        if !missing.isEmpty {
            report(.missingEvent, "\(label) has no \(missing.map(\.rawValue).joined(separator: ", "))")
        }
    }

    private mutating func checkOrder(_ ad: Ad, _ label: String) {
        let timed = ad.events.filter { $0.type.quartileShare != nil }
            .sortedStably { ($0.type.quartileShare ?? 0) < ($1.type.quartileShare ?? 0) }
        for (first, second) in zip(timed, timed.dropFirst()) where second.start < first.start {
            report(.eventOrder, "\(second.rawName) of \(label) comes before \(first.rawName)")
        }
    }

    private mutating func checkDuplicates(_ ad: Ad, _ label: String) {
        struct Beacon: Hashable {
            var name: String
            var start: UnixTime
            var url: String
        }
        var seen: Set<Beacon> = []
        for event in ad.events {
            for url in event.urls where !seen.insert(Beacon(name: event.rawName, start: event.start, url: url)).inserted
            {
                report(.duplicateEvent, "\(event.rawName) of \(label) has '\(url)' twice")
            }
        }
    }
}

/// Lint of all URLs of a document (L26, L30, L31): one finding per URL or host, however often it occurs.
extension DocumentLinter {
    mutating func checkURLs(_ document: DecodedMetadata) {
        var uses: [String: (count: Int, label: String)] = [:]
        var order: [String] = []
        for ad in document.breaks.lazy.flatMap(\.ads) {
            for event in ad.events where event.eventClass != .click {
                for url in Set(event.urls) where !url.isEmpty {
                    if uses[url] == nil { order.append(url) }
                    uses[url, default: (0, "\(event.rawName) of \(ad.label)")].count += 1
                }
            }
        }
        for url in order {
            guard let (count, label) = uses[url], count > 1 else { continue }
            report(.sharedURL, "\(count) events have the URL '\(url)', the first is \(label)")
        }
        checkHosts(order)
    }

    private mutating func checkHosts(_ urls: [String]) {
        guard context.isSecure || context.isPublic else { return }
        var plain: [String: Int] = [:]
        var hidden: [String: Int] = [:]
        for text in urls {
            // Most beacons are https to names; those need no closer look.
            guard context.isPublic || text.hasPrefix("http://"), let url = try? WebURL(text) else { continue }
            if context.isSecure, !url.isSecure { plain[url.host, default: 0] += 1 }
            if context.isPublic, let reach = url.literalReach, reach != .global { hidden[url.host, default: 0] += 1 }
        }
        for (host, count) in plain.sorted(by: { $0.key < $1.key }) {
            report(.mixedContent, "\(count) beacons go to http://\(host) in an https session")
        }
        for (host, count) in hidden.sorted(by: { $0.key < $1.key }) {
            report(.privateHost, "\(count) beacons go to \(host), a private or loopback address, in a public session")
        }
    }
}

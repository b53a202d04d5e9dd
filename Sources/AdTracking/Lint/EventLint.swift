import Ports

/// Lint of an ad's events (L21 to L25, L32, L34, L40).
extension DocumentLinter {
    mutating func checkEvents(of ad: Ad, _ label: AdLabel) {
        guard !ad.events.isEmpty else {
            if !ad.isSlate, !ad.isSeenInPart { report(.missingEvent, "\(label) has no tracking events") }
            return
        }
        let complete = ad.events.first { $0.type == .complete }
        checkPlaces(ad, complete, label)
        checkQuartiles(ad, complete, label)
        checkOrder(ad, label)
        checkDuplicates(ad, label)
        for event in ad.events {
            switch event.eventClass {
            case .click where !event.isSpan:
                report(.clickAsAutomatic, "\(event.rawName) of \(label) has no duration, as if playback triggered it")
            case .user where !event.isSpan:
                report(.userEventWindow, "\(event.rawName) of \(label) has no duration")
            default: break
            }
        }
    }

    /// An event behind `complete` is outside its ad; a `complete` behind the ad's final end means that the ad was cut.
    private mutating func checkPlaces(_ ad: Ad, _ complete: TrackingEvent?, _ label: AdLabel) {
        let tolerance = LintContext.tolerance
        let isSettled = isSettled(ad.plannedEnd)
        let end = max(ad.end, complete?.start ?? ad.end)
        for event in ad.events where event.eventClass == .time {
            // What begins a break is at the break's start, on whichever of its ads a page lists it (PRV-25); what ends one at its end,
            // which may be behind its last ad.
            if event.start + tolerance < ad.start, !event.type.opensBreak {
                report(.eventOutsideAd, "\(event.rawName) lies before \(label)")
            } else if isSettled, event.start > end + tolerance, event.type != .mediaVerification,
                !event.type.waitsForEnd
            {
                report(.eventOutsideAd, "\(event.rawName) lies \((event.start - end).inMilliseconds) ms after \(label)")
            }
        }
        if isSettled, let complete, complete.start > ad.end + tolerance {
            let missing = (complete.start - ad.end).inMilliseconds
            report(.adCut, "\(label) ends \(missing) ms before its complete event; the ad was cut")
        }
    }

    private mutating func checkQuartiles(_ ad: Ad, _ complete: TrackingEvent?, _ label: AdLabel) {
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
        guard ad.isLinear, !ad.isSlate, !ad.events.allSatisfy(\.isOfBreakOrMedia) else { return }
        let expected: [EventType] = [.start, .firstQuartile, .midpoint, .thirdQuartile, .complete]
        let seen = expected.map { type in ad.events.contains { $0.type == type } }
        // An ad that was joined in its middle needs only the events after its first one.
        let first = ad.isSeenInPart ? seen.firstIndex(of: true) ?? seen.endIndex : 0
        let missing = zip(expected, seen).dropFirst(first).filter { !$0.1 }.map(\.0)
        if !missing.isEmpty {
            report(.missingEvent, "\(label) has no \(missing.map(\.rawValue).joined(separator: ", "))")
        }
    }

    private mutating func checkOrder(_ ad: Ad, _ label: AdLabel) {
        let timed = ad.events.filter { $0.type.quartileShare != nil }
            .sortedStably { ($0.type.quartileShare ?? 0) < ($1.type.quartileShare ?? 0) }
        for (first, second) in zip(timed, timed.dropFirst()) where second.start < first.start {
            report(.eventOrder, "\(second.rawName) of \(label) comes before \(first.rawName)")
        }
    }

    private mutating func checkDuplicates(_ ad: Ad, _ label: AdLabel) {
        struct Beacon: Hashable {
            var name: String
            var url: String
        }
        // Nearly every ad has each name once, each with one URL.
        let names = Set(ad.events.map { $0.rawName.lowercased() })
        guard names.count < ad.events.count || ad.events.contains(where: { $0.urls.count > 1 }) else { return }
        var starts: [Beacon: UnixTime] = [:]
        for event in ad.events.sortedStably(by: { $0.start < $1.start }) {
            for url in event.urls {
                let beacon = Beacon(name: event.rawName.lowercased(), url: URLNormalForm.of(url))
                let before = starts.updateValue(event.start, forKey: beacon)
                guard let before, event.start - before <= Insertion.sameMoment else { continue }
                report(.duplicateEvent, "\(event.rawName) of \(label) has '\(url)' twice")
            }
        }
    }
}

extension TrackingEvent {
    /// Whether it reports a break, or an id of the media, and so makes an ad that has nothing else no ad of its own.
    fileprivate var isOfBreakOrMedia: Bool {
        type.opensBreak || type.waitsForEnd || isVerification
    }
}

/// Lint of all URLs of a document (L26, L30, L31): one finding per URL or host, however often it occurs.
extension DocumentLinter {
    mutating func checkURLs(_ document: DecodedMetadata) {
        var uses: [String: Int] = [:]
        var hosts: [Substring: (secure: Int, plain: Int)] = [:]
        for event in document.breaks.lazy.flatMap(\.ads).flatMap(\.events) where event.eventClass != .click {
            for url in event.urls.count > 1 ? Array(Set(event.urls)) : event.urls {
                guard uses.updateValue((uses[url] ?? 0) + 1, forKey: url) == nil,
                    let (host, isSecure) = Self.host(of: url)
                else { continue }
                if isSecure {
                    hosts[host, default: (0, 0)].secure += 1
                } else {
                    hosts[host, default: (0, 0)].plain += 1
                }
            }
        }
        reportShared(uses.filter { $0.value > 1 && !$0.key.isEmpty }, document)
        reportHosts(hosts)
    }

    private mutating func reportShared(_ shared: [String: Int], _ document: DecodedMetadata) {
        var left = shared
        for ad in document.breaks.lazy.flatMap(\.ads) where !left.isEmpty {
            for event in ad.events where event.eventClass != .click {
                for url in event.urls {
                    guard let count = left.removeValue(forKey: url) else { continue }
                    report(
                        .sharedURL,
                        "\(count) events have the URL '\(url)', the first is \(event.rawName) of \(ad.label)")
                }
            }
        }
    }

    private mutating func reportHosts(_ hosts: [Substring: (secure: Int, plain: Int)]) {
        for (host, count) in hosts.sorted(by: { $0.key < $1.key }) {
            if context.isSecure, count.plain > 0 {
                report(.mixedContent, "\(count.plain) beacons go to http://\(host) in an https session")
            }
            guard context.isPublic, let url = try? WebURL("http://\(host)/"), (url.writtenReach ?? .global) != .global
            else { continue }
            report(
                .privateHost,
                "\(count.secure + count.plain) beacons go to \(host), a private or loopback address, in a public session"
            )
        }
    }

    /// The authority of a web URL, without a full parse: every poll checks about a thousand URLs.
    private static func host(of url: String) -> (Substring, isSecure: Bool)? {
        let isSecure = url.utf8.starts(with: "https://".utf8)
        guard isSecure || url.utf8.starts(with: "http://".utf8) else { return nil }
        let rest = url.utf8.dropFirst(isSecure ? 8 : 7)
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        return (url[rest.startIndex..<(end ?? url.endIndex)], isSecure)
    }
}

import AdTracking
import HLS
import Ports

/// Content steering: a server selects the pathway (rfc8216bis-22 section 7, HLS-4).
struct SteeringPart {
    /// Delay after an error, if no manifest has set one.
    static let retryDelay: Duration = SteeringManifest.defaultLifetime

    /// Address of the next manifest; nil without steering, or when the server ended it.
    var url: WebURL?
    /// Uptime of the next request; nil while one is in flight.
    var nextAt: Duration?
    /// The newest manifest; nil before the first.
    var manifest: SteeringManifest?
    /// SERVER-URI as written, so that a repeated multivariant playlist does not restart steering.
    var serverURI: String?
}

extension MonitorState {
    /// A multivariant playlist arrived, with or without EXT-X-CONTENT-STEERING.
    mutating func steeringFound(_ steering: ContentSteering?, at now: Moment) {
        guard let uri = steering?.serverURI, uri != playlist.steering.serverURI else { return }
        playlist.steering = SteeringPart(serverURI: uri)
        if let content = DataURI.content(of: uri) { return readSteering(content, from: nil, at: now) }
        do throws(WebURLProblem) {
            playlist.steering.url = try WebURL(uri)
            playlist.steering.nextAt = now.uptime
        } catch {
            steeringFailed("its address \(error.explanation)", at: now)
        }
    }

    /// Uptime of the next request; nil while none is due, or the server has ended the session.
    var nextSteering: Duration? { renewal.polls(.playlist) ? playlist.steering.nextAt : nil }

    mutating func steerIfDue(at now: Moment) {
        guard let due = nextSteering, due <= now.uptime, let url = playlist.steering.url else { return }
        playlist.steering.nextAt = nil
        var items = QueryItems(url.query)
        items.removeAll(named: "_HLS_pathway")
        if let pathway = playlist.choice?.current.pathway {
            items.appendIfAbsent(name: "_HLS_pathway", value: Self.quoted(pathway))
        }
        do throws(WebURLProblem) {
            let target = try url.with(path: url.path, query: items.text)
            fetch(.steering, target, limit: SteeringManifest.byteLimit, at: now)
        } catch {
            steeringFailed("its address \(error.explanation)", at: now)
        }
    }

    mutating func steeringAnswered(_ exchange: HTTPExchange, at now: Moment) {
        if exchange.status == 410 {
            // Section 7: the client must not send another request.
            playlist.steering.url = nil
            return note(.info, "content steering ended: answered 410", at: now)
        }
        guard exchange.isSuccess else {
            let wait = exchange.fields["retry-after"].flatMap { RetryAfter.delay($0, at: now.wall) }
            return steeringFailed(Wording.problem(exchange), retryAfter: wait, at: now)
        }
        readSteering(exchange.body, from: exchange.finalURL, at: now)
    }

    private mutating func readSteering(_ bytes: [UInt8], from place: String?, at now: Moment) {
        do throws(SteeringProblem) {
            steered(by: try SteeringManifest.read(bytes), from: place, at: now)
        } catch {
            steeringFailed(error.explanation, at: now)
        }
    }

    private mutating func steered(by manifest: SteeringManifest, from place: String?, at now: Moment) {
        if manifest.priority != playlist.steering.manifest?.priority {
            note(.info, "content steering prefers \(manifest.priority.joined(separator: ", "))", at: now)
        }
        playlist.steering.manifest = manifest
        if let reload = manifest.reloadURI {
            let base = place.map { URIReference($0) } ?? URIReference(playlist.choice?.current.variant.uri ?? "")
            // If the new address cannot be requested, the old one remains.
            playlist.steering.url = (try? WebURL(URIReference.resolve(reload, against: base))) ?? playlist.steering.url
        }
        if playlist.steering.url != nil { playlist.steering.nextAt = now.uptime + manifest.lifetime }
        guard let next = playlist.choice?.steered(by: manifest, at: now) else { return }
        follow(next, "content steering", .info, at: now)
        if playlist.nextAt != nil { plannedReload(at: now.uptime, now: now) }
    }

    private mutating func steeringFailed(_ problem: String, retryAfter: Duration? = nil, at now: Moment) {
        noteFindings(
            [
                Finding(
                    rule: SessionRule.contentSteeringFailed, severity: .warning,
                    message: "no steering manifest: \(problem)",
                    section: "rfc8216bis-22 7")
            ], from: .playlist, at: now)
        guard playlist.steering.url != nil else { return }
        let delay = playlist.steering.manifest?.lifetime ?? SteeringPart.retryDelay
        playlist.steering.nextAt = now.uptime + max(delay, min(retryAfter ?? .zero, ReloadSchedule.retryAfterLimit))
    }

    /// A quoted string in a query: characters that could end the string or the parameter are escaped.
    private static func quoted(_ text: String) -> String {
        let plain = text.utf8.map { byte -> String in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains(byte)
            guard !isPlain else { return String(UnicodeScalar(byte)) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return "%22\(plain.joined())%22"
    }
}

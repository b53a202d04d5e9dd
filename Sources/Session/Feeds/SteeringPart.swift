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

/// Requests for steering manifests, and what they change about the variant that is followed.
extension PlaylistPart {
    /// A multivariant playlist arrived, with or without EXT-X-CONTENT-STEERING.
    mutating func steeringFound(_ found: ContentSteering?, _ desk: inout Desk, at now: Moment) {
        guard let uri = found?.serverURI, uri != steering.serverURI else { return }
        steering = SteeringPart(serverURI: uri)
        if let content = DataURI.content(of: uri) { return readSteering(content, from: nil, &desk, at: now) }
        do throws(WebURLProblem) {
            steering.url = try WebURL(written: uri)
            steering.nextAt = now.uptime
        } catch {
            steeringFailed("its address \(error.explanation)", &desk, at: now)
        }
    }

    mutating func steerIfDue(_ desk: inout Desk, at now: Moment) {
        guard let due = steering.nextAt, due <= now.uptime, let url = steering.url else { return }
        steering.nextAt = nil
        var items = QueryItems(url.query)
        items.removeAll(named: "_HLS_pathway")
        if let pathway = choice?.current.pathway {
            items.appendIfAbsent(name: "_HLS_pathway", value: Self.quoted(pathway))
        }
        do throws(WebURLProblem) {
            let target = try url.with(path: url.path, query: items.text)
            desk.fetch(.steering, target, limit: SteeringManifest.byteLimit, at: now)
        } catch {
            steeringFailed("its address \(error.explanation)", &desk, at: now)
        }
    }

    mutating func steeringAnswered(_ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment) {
        if exchange.status == 410 {
            // Section 7: the client must not send another request.
            steering.url = nil
            return desk.note(.info, "content steering ended: answered 410", from: .playlist, at: now)
        }
        guard exchange.isSuccess else {
            let wait = RetryAfter.delay(of: exchange, at: now)
            return steeringFailed(Wording.problem(exchange), retryAfter: wait, &desk, at: now)
        }
        readSteering(exchange.body, from: exchange.finalURL, &desk, at: now)
    }

    private mutating func readSteering(_ bytes: [UInt8], from place: String?, _ desk: inout Desk, at now: Moment) {
        do throws(SteeringProblem) {
            steered(by: try SteeringManifest.read(bytes), from: place, &desk, at: now)
        } catch {
            steeringFailed(error.explanation, &desk, at: now)
        }
    }

    private mutating func steered(
        by manifest: SteeringManifest, from place: String?, _ desk: inout Desk, at now: Moment
    ) {
        if manifest.priority != steering.manifest?.priority {
            desk.note(
                .info, "content steering prefers \(manifest.priority.joined(separator: ", "))", from: .playlist, at: now
            )
        }
        steering.manifest = manifest
        if let reload = manifest.reloadURI {
            let base = place.map { URIReference($0) } ?? URIReference(choice?.current.variant.uri ?? "")
            // If the new address cannot be requested, the old one remains.
            steering.url = (try? WebURL(written: URIReference.resolve(reload, against: base))) ?? steering.url
        }
        if steering.url != nil { steering.nextAt = now.uptime + manifest.lifetime }
        guard let next = choice?.steered(by: manifest, at: now) else { return }
        follow(next, "content steering", .info, &desk, at: now)
        if nextAt != nil { plannedReload(at: now.uptime, now: now) }
    }

    private mutating func steeringFailed(
        _ problem: String, retryAfter: Duration? = nil, _ desk: inout Desk, at now: Moment
    ) {
        desk.noteFindings(
            [
                Finding(
                    rule: SessionRule.contentSteeringFailed, severity: .warning,
                    message: "no steering manifest: \(problem)",
                    section: "rfc8216bis-22 7")
            ], from: .playlist, at: now)
        guard steering.url != nil else { return }
        let delay = steering.manifest?.lifetime ?? SteeringPart.retryDelay
        steering.nextAt = now.uptime + max(delay, min(retryAfter ?? .zero, Limits.retryAfter))
    }

    /// A quoted string in a query: characters that could end the string or the parameter are escaped.
    private static func quoted(_ text: String) -> String {
        "%22\(text.percentEncoded { $0.isUnreserved && $0 != UInt8(ascii: "~") })%22"
    }
}

import Fleet
import Monitoring
import Ports

/// Answers of the store as values.
enum StoreReading {
    /// - Parameter seal: opens sessions that are sealed.
    static func taken(_ rows: PostgresAnswer, seal: SessionSeal?) throws(StoreProblem) -> [StoreAnswer.TakenViewer] {
        var taken: [StoreAnswer.TakenViewer] = []
        for row in rows.rows {
            var viewer = StoreAnswer.TakenViewer(
                id: ViewerEpoch(viewer: try row.integer("viewer"), epoch: try row.integer("epoch")),
                dueFrom: try row.optionalTime("due_from").map(span), playhead: nil)
            if let playhead = try playhead(row) { (viewer.playhead, viewer.playedSince) = playhead }
            viewer.number = try row.integer("number")
            viewer.region = try row.text("region")
            let state = try row.optionalBytes("state") ?? []
            if try row.flag("is_sealed") {
                let opened = seal?.open(state, of: viewer.id.viewer)
                viewer.session = opened ?? []
                if opened == nil { viewer.sealedWith = SessionSeal.keyID(of: state) }
            } else {
                viewer.session = state
            }
            viewer.channel = FollowedChannel(
                id: try row.integer("channel"), name: try row.text("name"), url: try row.text("url"),
                options: try options(row))
            taken.append(viewer)
        }
        return taken
    }

    static func owned(_ rows: PostgresAnswer) throws(StoreProblem) -> [ViewerEpoch] {
        var owned: [ViewerEpoch] = []
        for row in rows.rows {
            owned.append(ViewerEpoch(viewer: try row.integer("viewer"), epoch: try row.integer("epoch")))
        }
        return owned
    }

    static func channels(_ rows: PostgresAnswer) throws(StoreProblem) -> [FollowedChannel] {
        var channels: [FollowedChannel] = []
        for row in rows.rows {
            channels.append(
                FollowedChannel(
                    id: try row.integer("id"), name: try row.text("name"), url: try row.text("url"),
                    options: try options(row)))
        }
        return channels
    }

    /// The ads that claims name, each once.
    static func adIDs(_ rows: PostgresAnswer) throws(StoreProblem) -> [Int64] {
        var ids: Set<Int64> = []
        for row in rows.rows { ids.insert(try row.integer("ad", as: Int64.self)) }
        return ids.sorted()
    }

    /// Claims with their ads. A claim is never left out: it may be the one that must not be sent again. What a stream dates before the dates of
    /// the server has the first one of these.
    static func claims(_ rows: PostgresAnswer, ads: PostgresAnswer) throws(StoreProblem) -> [StoredClaim] {
        var known: [Int: [Int64: ClaimedAd]] = [:]
        for row in ads.rows {
            let viewer: Int = try row.integer("viewer")
            let ad = ClaimedAd(
                id: try row.integer("id", as: Int64.self), breakName: try row.text("break"), name: try row.text("ad"),
                firstStart: span(try row.optionalTime("first_start") ?? PostgresParameter.earliest))
            known[viewer, default: [:]][ad.id] = ad
        }
        var claims: [StoredClaim] = []
        for row in rows.rows {
            let due = span(try row.optionalTime("due_at") ?? PostgresParameter.earliest)
            let key = ClaimKey(
                viewer: try row.integer("viewer"), due: due, beacon: try beacon(try row.text("beacon")),
                round: try row.integer("round"), attempt: try row.integer("attempt"))
            var beacon = DueBeacon(key: key, type: try row.text("type"), url: try row.text("url"))
            let id = try row.integer("ad", as: Int64.self)
            beacon.ad = known[key.viewer]?[id] ?? ClaimedAd(id: id, breakName: "=", name: "=", firstStart: due)
            claims.append(
                StoredClaim(
                    request: ClaimRequest(beacon, epoch: try row.integer("epoch"), number: try row.integer("number")),
                    outcome: outcome(try row.optionalText("state")), status: try row.optionalInteger("status")))
        }
        return claims
    }

    /// Where the viewer is now, and how much it has played since its playhead was saved; nil for one that did not play.
    private static func playhead(_ row: PostgresRow) throws(StoreProblem) -> (now: Duration, played: Duration?)? {
        guard let media = try row.optionalTime("media"), let saved = try row.optionalTime("media_at") else {
            return nil
        }
        let rate = try row.optionalNumber("rate") ?? 0
        let played = max(.zero, try row.time("at") - saved) * rate
        return (span(media) + played, rate > 0 ? played : nil)
    }

    private static func options(_ row: PostgresRow) throws(StoreProblem) -> [String: String] {
        guard case .object(let object)? = try row.optionalJSON("options") else { return [:] }
        return Dictionary(
            object.members.map { ($0.name, $0.value.stringValue ?? $0.value.text()) },
            uniquingKeysWith: { _, last in last })
    }

    private static func beacon(_ text: String) throws(StoreProblem) -> BeaconID {
        guard let beacon = beaconID(text.filter { $0 != "-" }) else { throw .strangeAnswer("the id of a beacon") }
        return beacon
    }

    /// From 32 hexadecimal digits.
    static func beaconID(_ digits: String) -> BeaconID? {
        guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        return BeaconID(high: high, low: low)
    }

    static func outcome(_ letter: String?) -> ClaimOutcome? {
        switch letter {
        case "a": .acknowledged
        case "r": .rejected
        case "f": .failed
        case "s": .skipped
        case nil: nil
        // What this version does not know may have arrived.
        default: .unknown
        }
    }

    private static func span(_ time: UnixTime) -> Duration { .microseconds(time.microseconds) }
}

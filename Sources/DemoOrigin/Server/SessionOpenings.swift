import OrderedCollections

/// When sessions were opened, for scenarios in which they end.
struct SessionOpenings {
    /// Sessions remembered; the oldest are forgotten first and then count as opened when they are seen again.
    static let limit = 4_096

    /// In the order of opening.
    private var openedMs: OrderedDictionary<String, Int> = [:]

    /// When the session was opened: now, if it was not seen before.
    mutating func openedMs(_ session: String, of scenario: String, nowMs: Int) -> Int {
        let key = "\(scenario)/\(session)"
        if let known = openedMs[key] { return known }
        if openedMs.count >= Self.limit { openedMs.removeFirst(Self.limit / 2) }
        openedMs[key] = nowMs
        return nowMs
    }
}

extension AnsweringStream {
    /// What a session that is over is answered; nil while it is not.
    /// - Parameter session: nil for the one in the query.
    func refusal(of feed: SessionShape.Feed, session: String? = nil, _ state: inout OriginState) -> OriginResponse? {
        let shape = stream.scenario.session
        guard let expiresMs = shape.expiresMs, let session = session ?? path.query["sessid"], SessionId.isValid(session)
        else {
            return nil
        }
        let openedMs = state.openings.openedMs(session, of: stream.scenario.name, nowMs: nowMs)
        guard nowMs - openedMs >= expiresMs, shape.refuses.contains(feed) else { return nil }
        return .plain(shape.refusalStatus, "this session is over; open a new one")
    }
}

import AdTracking
import Ports

extension ProviderContract {
    /// How a server answers all requests for documents.
    private enum Server: CaseIterable {
        case good, failing, silent, changing, refusing, asksForPause, asksByDate, asksForDays
        case asksForNonsense, asksTooMuch

        /// Value of `Retry-After`, with the pause that it asks for.
        var retryAfter: (text: String, pause: Duration)? {
            switch self {
            case .good, .failing, .silent, .changing, .refusing: nil
            case .asksForPause: ("120", .seconds(120))
            // By a clock that is years behind.
            case .asksByDate: ("Sun, 06 Nov 1994 08:51:00 GMT", .seconds(120))
            case .asksForDays: ("86400", Limits.retryAfter)
            case .asksForNonsense: ("soon", .zero)
            case .asksTooMuch: ("99999999999999999999", .zero)
            }
        }

        func isGood(_ number: Int) -> Bool {
            switch self {
            case .good: true
            case .changing: number.isMultiple(of: 3)
            case .failing, .silent, .refusing, .asksForPause, .asksByDate, .asksForDays, .asksForNonsense,
                .asksTooMuch:
                false
            }
        }

        private var dated: HTTPExchange {
            var answer = HTTPExchange.answer(503)
            answer.hops[0].fields.append(HTTPField("Date", "Sun, 06 Nov 1994 08:49:00 GMT"))
            return answer
        }

        func failure(_ number: Int) -> HTTPExchange {
            switch self {
            case .silent: .failure(.timeout)
            case .changing: number.isMultiple(of: 2) ? .failure(.timeout) : .answer(500)
            case .refusing: .answer(404)
            case .asksByDate: dated
            default: .answer(503)
            }
        }
    }

    /// One request at a time, to addresses of the session, at distances within the stated bounds whatever the server does.
    func polls() -> [String] {
        Server.allCases.flatMap { server in polls(of: server).map { "server \(server): \($0)" } }
    }

    /// The wall clock is corrected by an hour after each request: distances are counted by uptime.
    func clocks() -> [String] {
        [Duration.seconds(3_600), .seconds(-3_600)].flatMap { step in
            polls(of: .good, wallStep: step).map { "wall clock \(step): \($0)" }
        }
    }

    private func polls(of server: Server, wallStep: Duration = .zero) -> [String] {
        var (provider, problems) = (opened(seed: 3), [String]())
        var now = Moment(wall: .ms(1_760_000_000_000), uptime: .seconds(100))
        if provider.nextRequest != nil { problems.append("a request is planned before the start") }
        provider.start(at: now)
        var starts: [Duration] = []
        for number in 0..<30 {
            guard let next = provider.nextRequest else { break }
            now = now.advanced(by: max(.zero, next - now.uptime))
            guard let request = provider.request(on: samples.stream, at: now) else {
                if let later = provider.nextRequest, later <= now.uptime {
                    return ["no request, and the next one is due now"]
                }
                continue
            }
            starts.append(now.uptime)
            problems += faults(of: request)
            if provider.nextRequest != nil { problems.append("a second request while one is in flight") }
            if server.isGood(number) {
                now = now.advanced(by: .milliseconds(20))
                provider.succeeded(at: now)
            } else {
                let answer = server.failure(number)
                now = now.advanced(by: answer.failure == nil ? .milliseconds(20) : request.timeout)
                provider.failed(answer, retryAfter: server.retryAfter?.text, at: now)
            }
            now.wall = now.wall + wallStep
        }
        return problems + faults(of: starts, pause: server.retryAfter?.pause ?? .zero, isGood: server == .good)
    }

    private func faults(of request: ProviderRequest) -> [String] {
        var problems: [String] = []
        let given = [samples.mediaURL] + samples.opening.map { String(decoding: $0.body, as: UTF8.self) }
        if !given.contains(where: { $0.contains(request.url.host) }) {
            problems.append("\(request.url.host) was not given and is requested")
        }
        if request.timeout <= .zero || request.timeout > Limits.requestTimeout {
            problems.append("a request with the time limit \(request.timeout)")
        }
        return problems
    }

    private func faults(of starts: [Duration], pause: Duration, isGood: Bool) -> [String] {
        guard let bounds = samples.distances else {
            return starts.count <= 1 || !isGood ? [] : ["\(starts.count) requests instead of one"]
        }
        guard starts.count == 30 else { return ["polling ends after \(starts.count) requests"] }
        let (shortest, longest) = (max(bounds.lowerBound, pause), max(bounds.upperBound, pause + bounds.upperBound))
        return zip(starts.dropFirst(), starts).map { $0 - $1 }.filter { $0 < shortest || $0 > longest }.map {
            "\($0) from one request to the next"
        }
    }
}

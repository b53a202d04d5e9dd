import Live
import Ports
import VAST

/// Resolves a tag over real connections: sends the requests of the pure state machine, branches in parallel. It requests
/// only documents, never a pixel.
struct TagResolver: Sendable {
    let transport: any HTTPTransport
    /// The jar that the transport uses, empty at the start of each chain; nil without cookies.
    let cookies: SessionCookies?
    let clock: any TimeSource
    let settings: TagRequestSettings
    /// What allows an address that the rule of the settings forbids; nil where the words of the transport name it.
    var addressRemedy: String?

    /// A finished resolution with its requests.
    struct Course: Sendable {
        var resolution: WrapperResolution
        /// By the number of the response; a document that was given has no exchange.
        var exchanges: [Int: HTTPExchange] = [:]
        /// The number of cookies of each request that had some.
        var cookies: [Int: Int] = [:]
        var elapsed: Duration = .zero
    }

    /// The start of a resolution.
    enum Start: Sendable {
        case tag
        /// `charset` is the encoding that its header names.
        case document([UInt8], url: String?, charset: String? = nil)
    }

    /// Resolves `times` times in sequence.
    func resolve(_ resolution: WrapperResolution, from start: Start, times: Int) async -> [Course] {
        var courses: [Course] = []
        while courses.count < times { courses.append(await resolve(resolution, from: start)) }
        return courses
    }

    /// Ends within the total time of the resolution's options.
    func resolve(_ resolution: WrapperResolution, from start: Start = .tag) async -> Course {
        var course = Course(resolution: resolution)
        let began = clock.now().uptime
        cookies?.forget()
        var open =
            switch start {
            case .tag: course.resolution.start()
            case .document(let bytes, let url, let charset):
                course.resolution.start(with: bytes, url: url, charset: charset)
            }
        await withTaskGroup(of: (TagFetch, HTTPExchange).self) { group in
            while true {
                let left = resolution.options.totalTimeout - (clock.now().uptime - began)
                if left <= .zero { course.resolution.timedOut() }
                for fetch in open where left > .zero {
                    let timeout = min(left, resolution.options.requestTimeout)
                    let request = fetch.request(settings, timeout: timeout)
                    let count = cookies?.pairs(for: fetch.url).count ?? 0
                    if count > 0 { course.cookies[fetch.id] = count }
                    group.addTask { (fetch, named(await transport.send(request))) }
                }
                guard let (fetch, exchange) = await group.next() else { break }
                course.exchanges[fetch.id] = exchange
                course.resolution.values[.timestamp] = .timestamp(clock.now().wall)
                open = course.resolution.answered(fetch.id, with: TagAnswer(exchange, to: fetch))
            }
        }
        course.elapsed = clock.now().uptime - began
        return course
    }

    private func named(_ exchange: HTTPExchange) -> HTTPExchange {
        guard let addressRemedy, exchange.failure?.kind == .addressNotAllowed else { return exchange }
        var exchange = exchange
        exchange.failure?.message = "leads to a private or loopback address; \(addressRemedy)"
        return exchange
    }
}

extension TagResolver.Course {
    /// The findings on the delivery of a document.
    func deliveryFindings(of response: Response) -> [Finding] {
        exchanges[response.id].map { ResponseLint.findings(of: $0, reading: response.reading) } ?? []
    }
}

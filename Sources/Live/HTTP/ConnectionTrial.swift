import Locks
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
package import Ports

extension LiveHTTPTransport {
    /// Opens a connection as `request` would, over the same proxies, addresses and certificates and under the same address
    /// rule, and closes it again. Nothing of the request is sent.
    package func trial(of request: HTTPRequest) async -> ConnectionCourse {
        let request = request.limited(by: planner.plan.timeout)
        var course = ConnectionCourse()
        let began = NIODeadline.now()
        let limit = TimeAmount.microseconds(request.connectTimeout.inMicroseconds)
        let routes: [Route]
        do throws(HTTPFailure) {
            routes = try await planner.resolving(for: request).plainRoutes(
                to: request.url, reach: Self.reach(of: request, at: request.url),
                server: server(of: request, at: request.url), deadline: began + limit)
        } catch {
            course.stages = [.init(.name, took: Self.span(since: began), failure: error)]
            return course
        }
        course.stages = [.init(.name, Self.names(routes), took: Self.span(since: began))]
        // Addresses are tried one after the other, as for a request.
        for (index, route) in routes.enumerated() {
            let deadline = NIODeadline.now() + limit
            let attempt = await open(route, for: request, deadline: deadline)
            let isUnreachable = attempt.stages.last?.step == .connect && attempt.failure != nil
            if isUnreachable, index + 1 < routes.count { continue }
            course.stages += attempt.stages
            (course.certificate, course.isUnverified) = (attempt.certificate, attempt.isUnverified)
            break
        }
        return course
    }

    /// What was found out about the name.
    private static func names(_ routes: [Route]) -> String {
        guard let first = routes.first else { return "" }
        var places: [String] = []
        for route in routes {
            let text = if case .tunnel(_, let target) = route.hop { target.host } else { route.peer.text }
            if !places.contains(text) { places.append(text) }
        }
        guard let proxy = first.proxy else { return places.joined(separator: ", ") }
        let isLiteral = places.allSatisfy { NetworkAddress($0) != nil }
        if case .tunnel = first.hop, isLiteral, proxy.kind == .socks5 {
            return "\(places.joined(separator: ", ")), through the proxy"
        }
        return "resolved by the proxy"
    }

    /// The steps after the name.
    private func open(_ route: Route, for request: HTTPRequest, deadline: NIODeadline) async -> ConnectionCourse {
        let progress = Locked(Progress())
        let opening = RouteOpening(
            route: route, contexts: contexts, offersHTTP2: true,
            note: { stage in progress.withLock { $0.note(stage, over: route) } })
        var problem: (any Error)?
        do {
            let channel = try await connect(opening, deadline: deadline)
            // It has served its purpose, however it closes.
            try? await channel.close()
        } catch {
            problem = error
        }
        var course = progress.withLock { $0.course }
        guard let problem else { return course }
        let last = course.stages.last?.step
        let step: ConnectionCourse.Step =
            last == nil ? .connect : last == .connect && route.proxy != nil ? .proxy : .tls
        var failure = await failure(problem, at: step, of: request, over: route, deadline: deadline)
        if let proxy = route.proxy, !(problem is HTTPFailure), step == .connect {
            failure = FailureWording.through(proxy, failure)
        }
        let took = progress.withLock { Self.span(since: $0.last) }
        course.stages.append(.init(step, took: took, failure: failure))
        return course
    }

    private func failure(
        _ problem: any Error, at step: ConnectionCourse.Step, of request: HTTPRequest, over route: Route,
        deadline: NIODeadline
    ) async -> HTTPFailure {
        guard NIODeadline.now() < deadline else {
            return step == .connect
                ? HTTPFailure(.connectTimeout, "no connection within \(request.connectTimeout.text)")
                : HTTPFailure(
                    step == .tls ? .tls : .connectTimeout, "no answer within \(request.connectTimeout.text)",
                    proxyFault: step == .proxy ? .notAProxy : nil)
        }
        let failure = FailureWording.failure(for: problem, record: HopDelegate.Record(), request: request)
        let isClosed = step == .tls && failure.kind == .reset
        let own = isClosed ? HTTPFailure(.tls, "closed during the TLS handshake") : failure
        return await explained(own, request, at: request.url, over: route, deadline: deadline)
    }

    private static func span(since start: NIODeadline) -> Duration {
        .microseconds((NIODeadline.now() - start).nanoseconds / 1_000)
    }

    /// The steps so far.
    private struct Progress {
        var course = ConnectionCourse()
        var last = NIODeadline.now()

        mutating func note(_ stage: RouteOpening.Stage, over route: Route) {
            let took = LiveHTTPTransport.span(since: last)
            last = .now()
            switch stage {
            case .connected:
                let place = AddressOverrides.Endpoint(host: route.peer.text, port: route.port).text
                course.stages.append(.init(.connect, route.proxy.map { "\($0.text) at \(place)" } ?? place, took: took))
            case .passed:
                course.stages.append(.init(.proxy, route.proxy?.text ?? "", took: took))
            case .secured(let version, let protocolName, let certificate, let isVerified):
                var found = [version]
                if protocolName == "h2" { found.append("HTTP/2") }
                if !isVerified { found.append("certificate not verified") }
                if let certificate { found.append(certificate.summary) }
                course.stages.append(.init(.tls, found.filter { !$0.isEmpty }.joined(separator: ", "), took: took))
                (course.certificate, course.isUnverified) = (certificate, !isVerified)
            }
        }
    }
}

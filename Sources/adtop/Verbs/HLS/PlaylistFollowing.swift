import AdTracking
import HLS
import Live
import Ports

/// Follows a playlist at a URL for a number of reloads, with the same follower and playhead as a session, and returns
/// the timeline in schema `adtop-hls-timeline/1`. Asset lists of interstitials are not requested.
struct PlaylistFollowing {
    var reloads: Int
    var isLowLatency: Bool
    var input: InputSource
    /// Receives one line for each reload.
    var report: @Sendable (String) -> Void

    /// The variant to follow and the variables that its playlists may import.
    private struct Target {
        var url: WebURL
        var variables: [String: String] = [:]
        /// Fields of the program for each request.
        var fields: [HTTPField] = []
    }

    func timeline(of place: String) async throws -> JSONValue {
        let typed: WebURL
        do throws(WebURLProblem) {
            typed = try WebURL(place)
        } catch {
            throw CommandFailure(.usage, "'\(place)' \(error.explanation)")
        }
        let requests = try input.requests()
        let transport = requests.documents(typed: typed)
        do {
            var target = try await target(at: typed.withoutCredentials, requests.agentFields, over: transport)
            target.fields = requests.agentFields
            let timeline = try await follow(target, over: transport)
            await requests.end()
            return timeline
        } catch {
            await requests.end()
            throw error
        }
    }

    /// The URL itself, or the variant that a session would choose.
    private func target(
        at url: WebURL, _ fields: [HTTPField], over transport: any HTTPTransport
    ) async throws(CommandFailure) -> Target {
        var request = HTTPRequest(url: url, fields: fields, maximumBodyBytes: Limits.playlistBytes)
        request.audience = .stream
        let exchange = await transport.send(request)
        if let failure = exchange.failure { throw InputSource.failure(failure, of: url.text) }
        guard exchange.isSuccess else {
            throw CommandFailure(.network, "\(url.text): the server answered \(exchange.status ?? 0)")
        }
        let parsed = PlaylistParser.parse(exchange.body, uri: exchange.finalURL ?? url.text)
        if case .invalid(let rule) = parsed.kind {
            throw CommandFailure(.unreadable, "\(url.text): not a playlist: \(rule) (see adtop hls parse)")
        }
        if let finding = PlaylistContentType.finding(exchange) {
            report("\(finding.severity.rawValue) \(finding.rule): \(finding.message)")
        }
        guard let multivariant = parsed.multivariant else { return Target(url: url) }
        guard let choice = VariantChoice(multivariant) else {
            throw CommandFailure(.unreadable, "\(url.text): multivariant playlist without a usable variant")
        }
        report("following variant \(choice.current.number): \(choice.current.url.text)")
        return Target(url: choice.current.url, variables: multivariant.definitions)
    }

    private func follow(_ target: Target, over transport: any HTTPTransport) async throws -> JSONValue {
        let time = SystemTimeSource()
        var replay = SequenceReplay(
            PlaybackSequence(
                playlistURI: target.url.text, variables: target.variables, isLowLatency: isLowLatency),
            playsInterstitials: false, ignoresOldCopies: true)
        for number in 1...reloads {
            let answer = await ask(for: target, replay, time: time, over: transport)
            replay.take(.answer(answer), at: answer.at)
            replay.take(.sample, at: answer.answered ?? answer.at)
            report(line(of: replay.newestReload, number: number))
            guard number < reloads, let next = replay.nextReload else { break }
            let now = time.now()
            try await time.sleep(untilUptime: now.uptime + max(.zero, next - now.wall))
        }
        return replay.timeline
    }

    private func ask(
        for wanted: Target, _ replay: SequenceReplay, time: SystemTimeSource, over transport: any HTTPTransport
    ) async -> PlaybackSequence.Answer {
        let asked = time.now()
        let url = wanted.url
        let (directives, timeout) = replay.request(at: asked.wall)
        // A URL that is too long with directives is requested without them.
        let target = try? url.with(path: url.path, query: directives.added(to: url.query))
        var request = HTTPRequest(
            url: directives.isEmpty ? url : target ?? url, fields: wanted.fields, totalTimeout: timeout,
            maximumBodyBytes: Limits.playlistBytes)
        request.audience = .stream
        request.hold = directives.isBlocking ? timeout : .zero
        let exchange = await transport.send(request)
        var answer = PlaybackSequence.Answer(at: asked.wall, status: exchange.status, body: exchange.body)
        answer.uri = exchange.finalURL
        // The wall clock may be set during the request; the uptime clock is never set.
        answer.answered = asked.wall + (time.now().uptime - asked.uptime)
        answer.directives = directives
        answer.age = exchange.fields["age"].flatMap(Int64.init).flatMap { Duration(finiteSeconds: Double($0)) }
        return answer
    }

    private func line(of reload: JSONValue?, number: Int) -> String {
        let outcome = reload?["outcome"]?.stringValue ?? ""
        let status = reload?["status"]?.integerValue.map { "\($0)" } ?? "no answer"
        let first = reload?["window"]?["first_seq"]?.integerValue
        let last = reload?["window"]?["last_seq"]?.integerValue
        let window = first.flatMap { first in last.map { ", segments \(first)…\($0)" } } ?? ""
        let issues = (reload?["issues"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: " ")
        return "reload \(number) of \(reloads): \(status), \(outcome)\(window)\(issues.isEmpty ? "" : ", \(issues)")"
    }
}

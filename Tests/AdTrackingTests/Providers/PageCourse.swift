import AdTracking
import Ports

extension ProviderContract {
    /// Answers that continue each other: each request has the token of the newest one, a token that is rejected is dropped, and pages that come twice
    /// or too late lose no beacon and send none twice. Where there are none, requests do not depend on answers.
    func pages() -> [String] {
        switch samples.paging {
        case .none: sameRequests()
        case .tokens(let pages): tokens(of: pages) + rejectedToken(of: pages) + lastPage(of: pages) + orders(of: pages)
        }
    }

    /// The requests of one session, each made when it is due.
    private struct Requests {
        var provider: any AdMetadataProvider
        let stream: StreamFacts
        var now = Moment(wall: .ms(1_760_000_000_000), uptime: .seconds(100))

        init(_ provider: any AdMetadataProvider, on stream: StreamFacts) {
            (self.provider, self.stream) = (provider, stream)
            self.provider.start(at: now)
        }

        /// Nil when none is planned.
        mutating func next() -> ProviderRequest? {
            guard let next = provider.nextRequest else { return nil }
            now = now.advanced(by: max(.zero, next - now.uptime))
            return provider.request(on: stream, at: now)
        }
    }

    private func sameRequests() -> [String] {
        var requests = Requests(opened(seed: 7), on: samples.stream)
        guard var first = requests.next() else { return samples.distances == nil ? [] : ["no request"] }
        var problems: [String] = []
        for (index, text) in (samples.documents + [samples.empty]).enumerated() {
            requests.provider.succeeded(at: requests.now)
            if case .failure = read(text, by: &requests.provider) { problems.append("document \(index) is not read") }
            guard var request = requests.next() else { return problems + ["no request after document \(index)"] }
            // How long it may take follows from the interval, which an answer may name.
            (first.timeout, request.timeout) = (.zero, .zero)
            if request != first { problems.append("another request after document \(index), and there are no pages") }
        }
        return problems
    }

    private func tokens(of pages: ProviderSamples.Pages) -> [String] {
        var (requests, viewer) = (Requests(opened(seed: 8), on: samples.stream), AdViewer())
        var (problems, newest) = ([String](), String?.none)
        for (token, text) in pages.pages.flatMap({ [$0, $0] }) {
            guard let request = requests.next() else { return problems + ["no request for a page"] }
            problems += Self.faults(of: request, having: newest, of: pages)
            requests.provider.succeeded(at: requests.now)
            guard case .success(let document) = read(text, by: &requests.provider) else {
                return ["a page is not read"]
            }
            if viewer.metadata(document).merge.changesAnything, token == newest {
                problems.append("a page that comes twice changes something")
            }
            newest = token
        }
        return problems
    }

    /// The request has the token, verbatim, and no other one.
    private static func faults(
        of request: ProviderRequest, having token: String?, of pages: ProviderSamples.Pages
    ) -> [String] {
        let text = "\(request.url.text) \(String(decoding: request.body, as: UTF8.self))"
        let others = pages.pages.map(\.token).filter { $0 != token && text.contains($0) }
        var problems = others.map { "a request has the token \($0) instead of \(token ?? "none")" }
        if let token, !text.contains(token) { problems.append("a request does not have the token \(token)") }
        return problems
    }

    /// A token that the service does not accept: the next request is due at once and has none, and the next document says so.
    private func rejectedToken(of pages: ProviderSamples.Pages) -> [String] {
        var requests = Requests(opened(seed: 9), on: samples.stream)
        guard let page = pages.pages.first, requests.next() != nil else { return ["no page"] }
        requests.provider.succeeded(at: requests.now)
        _ = read(page.text, by: &requests.provider)
        guard requests.next() != nil else { return ["no request behind the first page"] }
        requests.provider.failed(.answer(pages.rejection), retryAfter: nil, at: requests.now)
        let rejectedAt = requests.now
        guard let request = requests.next() else { return ["no request after a token was rejected"] }
        var problems = Self.faults(of: request, having: nil, of: pages)
        if requests.now != rejectedAt { problems.append("the request after a rejected token waits") }
        requests.provider.succeeded(at: requests.now)
        guard case .success(let document) = read(page.text, by: &requests.provider) else {
            return ["a page is not read"]
        }
        var viewer = AdViewer()
        let outcome = viewer.metadata(document)
        let found = requests.provider.lint(
            document, outcome, viewer.tracker.book, on: samples.stream, at: requests.now)
        if !found.contains(where: { $0.rule == pages.finding }) { problems.append("a rejected token is not reported") }
        return problems
    }

    /// An answer without a token, as the first request has none.
    private func lastPage(of pages: ProviderSamples.Pages) -> [String] {
        var (requests, problems) = (Requests(opened(seed: 10), on: samples.stream), [String]())
        for text in [pages.pages.first?.text ?? "", pages.last] {
            guard requests.next() != nil else { return ["no request for a page"] }
            requests.provider.succeeded(at: requests.now)
            if case .failure = read(text, by: &requests.provider) { problems.append("a page is not read") }
        }
        guard let request = requests.next() else { return problems + ["no request behind the last page"] }
        return problems + Self.faults(of: request, having: nil, of: pages)
    }

    /// Pages in any order, and each one while it is on air: what they list is sent once.
    private func orders(of pages: ProviderSamples.Pages) -> [String] {
        let texts = pages.pages.map(\.text)
        let expected = sent(texts, playingEach: false)
        guard !expected.isEmpty else { return ["no beacon was sent"] }
        var orders = [("in order", texts, true), ("backwards", texts.reversed(), false)]
        orders.append(("with an older page at the end", texts + texts.prefix(1), true))
        orders.append(("each one twice", texts.flatMap { [$0, $0] }, true))
        return orders.flatMap { name, texts, playsEach -> [String] in
            let requests = sent(texts, playingEach: playsEach)
            var problems: [String] = []
            if Set(requests).count != requests.count { problems.append("pages \(name): a beacon was sent twice") }
            if Set(requests) != Set(expected) {
                problems.append("pages \(name): \(Set(requests).count) beacons instead of \(Set(expected).count)")
            }
            return problems
        }
    }

    /// - Parameter playsEach: whether the viewer plays what a page lists before the next one comes.
    private func sent(_ texts: [String], playingEach playsEach: Bool) -> [String] {
        var (provider, viewer) = (opened(seed: 11), AdViewer())
        for text in texts {
            guard case .success(let document) = read(text, by: &provider) else { continue }
            viewer.metadata(document)
            if playsEach { viewer.play(document) }
        }
        let breaks = viewer.tracker.book.breaks
        guard let first = breaks.map(\.start).min(), let end = breaks.map(\.plannedEnd).max() else { return [] }
        viewer.play(first.milliseconds - 1_000, end.milliseconds + 1_000)
        return viewer.requests
    }
}

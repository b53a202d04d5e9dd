import AdTracking
import Ports

extension ProviderContract {
    /// A break that is on air gets ads, and events that were due already: it stays one break, and each beacon is sent once.
    func growth() -> [String] {
        guard samples.growth.count > 1, let last = samples.growth.last else {
            return ["no answers to a break that grows"]
        }
        let (grown, whole) = (watch(samples.growth), watch([last]))
        var problems: [String] = []
        if whole.requests.isEmpty { problems.append("no beacon was sent") }
        if watch([samples.growth[0]]).ads == whole.ads { problems.append("the samples do not grow") }
        if grown.ads != whole.ads {
            problems.append("a break that grew has the ads \(grown.ads) instead of \(whole.ads)")
        }
        if Set(grown.requests).count != grown.requests.count { problems.append("a beacon was sent twice") }
        let lost = Set(whole.requests).subtracting(grown.requests)
        if !lost.isEmpty { problems.append("beacons are lost: \(lost.sorted())") }
        let more = Set(grown.requests).subtracting(whole.requests)
        if !more.isEmpty { problems.append("beacons of no answer are sent: \(more.sorted())") }
        return problems
    }

    /// What a viewer sends who is some seconds further with each answer and then plays to the end, and the ads of each break.
    private func watch(_ answers: [String]) -> (requests: [String], ads: [[String]]) {
        var (provider, viewer) = (opened(seed: 6), AdViewer())
        var position: Int64?
        for text in answers {
            var stream = samples.stream
            stream.playhead = position.map(UnixTime.ms)
            guard case .success(let document) = read(text, on: stream, by: &provider),
                let start = position ?? document.breaks.first.map({ $0.start.milliseconds - 1_000 })
            else { continue }
            viewer.metadata(document)
            viewer.play(start, start + 6_000)
            position = start + 6_000
        }
        let breaks = viewer.tracker.book.breaks
        if let position, let end = breaks.map(\.plannedEnd).max() { viewer.play(position, end.milliseconds + 1_000) }
        return (viewer.requests, breaks.map { $0.ads.map(\.name.text) })
    }
}

import AdTracking
import Ports

extension ProviderContract {
    /// Failed requests, bad bodies, older answers and repeated ones between the documents lose no beacon and send none twice.
    func disturbed() -> [String] {
        // Media ids without a meaning are waited for until the viewer is there (PRV-45): this one is before all of them.
        var early = samples
        early.stream.playhead = UnixTime(microseconds: 0)
        let contract = ProviderContract(make: make, samples: early)
        let (plain, sent) = (contract.requests(isDisturbed: false), contract.requests(isDisturbed: true))
        var problems: [String] = []
        if plain.isEmpty { problems.append("no beacon was sent") }
        if Set(sent).count != sent.count { problems.append("a beacon was sent twice") }
        let lost = Set(plain).subtracting(sent)
        if !lost.isEmpty { problems.append("\(lost.count) beacons are lost") }
        let more = Set(sent).subtracting(plain)
        if !more.isEmpty { problems.append("\(more.count) beacons of no document are sent") }
        return problems
    }

    /// What a viewer sends that plays each document as it comes.
    private func requests(isDisturbed: Bool) -> [String] {
        var (provider, viewer) = (opened(seed: 4), AdViewer())
        // As old as the documents: to a later clock their times look like offsets (TRK-4).
        var now = Moment(wall: .ms(1_000_000), uptime: .seconds(100))
        provider.start(at: now)
        for (index, text) in samples.documents.enumerated() {
            if isDisturbed {
                fail(&provider, at: &now)
                _ = read(samples.truncated, by: &provider)
                let older = index > 0 ? samples.documents[index - 1] : text
                for answer in [older, text, older] {
                    guard case .success(let document) = read(answer, by: &provider) else { continue }
                    viewer.metadata(document)
                    fail(&provider, at: &now)
                }
            }
            guard case .success(let document) = read(text, by: &provider) else { continue }
            viewer.metadata(document)
            viewer.play(document)
        }
        return viewer.requests
    }

    /// The next request, if any is planned, is answered with a failure.
    private func fail(_ provider: inout any AdMetadataProvider, at now: inout Moment) {
        guard let next = provider.nextRequest else { return }
        now = now.advanced(by: max(.zero, next - now.uptime))
        guard provider.request(on: samples.stream, at: now) != nil else { return }
        provider.failed(.answer(503), retryAfter: nil, at: now)
    }
}

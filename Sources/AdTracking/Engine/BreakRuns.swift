import Ports

extension BreakBook {
    /// The ads of one break of the stream that follow each other without a gap larger than `gap`, around `time`.
    /// - Parameter isOther: whether an ad that starts at a date is not meant.
    func run(
        around time: UnixTime, dataRange: DataRange?, gap: Duration, without isOther: (UnixTime) -> Bool
    ) -> SeamClock.Run? {
        guard let (adBreak, ad) = adOnAir(at: time, dataRange: dataRange, slack: .zero, without: isOther) else {
            return nil
        }
        let range = adBreak.source == .metadata ? dataRange : nil
        guard time < ad.expectedEnd(range) else { return nil }
        var run = SeamClock.Run(
            breakID: adBreak.id, ad: ad.id, adStart: ad.start, start: ad.start, end: ad.expectedEnd(range))
        let listed = adBreak.ads.filter { $0.presence != .vanished && !isOther($0.start) }
        for next in listed where next.start >= run.start && next.start <= run.end + gap {
            run.end = max(run.end, next.expectedEnd(range))
        }
        for previous in listed.reversed() where previous.start < run.start {
            guard previous.expectedEnd(range) + gap >= run.start else { break }
            run.start = previous.start
        }
        return run
    }

    /// Whether an ad of the stream that starts at `start` begins with one of these dates, or leads back to one that does without a gap
    /// larger than `gap`.
    func begins(_ start: UnixTime, with begins: [UnixTime], dataRange: DataRange?, gap: Duration) -> Bool {
        guard !begins.isEmpty else { return false }
        if SeamClock.has(start, in: begins) { return true }
        return breaks.contains { adBreak in
            guard adBreak.track == .primary, adBreak.presence != .vanished,
                adBreak.ads.contains(where: { $0.start == start && $0.presence != .vanished })
            else { return false }
            let range = adBreak.source == .metadata ? dataRange : nil
            return adBreak.starts(leadingTo: start, dataRange: range, gap: gap).contains {
                SeamClock.has($0, in: begins)
            }
        }
    }

    /// Whether ads of the stream that start at `start`, give or take `slack`, last beyond `end`, with those that follow without a
    /// gap larger than `gap`. Not if one of them ends there.
    func lasts(
        from start: UnixTime, beyond end: UnixTime, dataRange: DataRange?, gap: Duration, slack: Duration
    ) -> Bool {
        breaks.contains { adBreak in
            guard adBreak.track == .primary, adBreak.presence != .vanished else { return false }
            let range = adBreak.source == .metadata ? dataRange : nil
            let listed = adBreak.ads.filter { $0.presence != .vanished }
            guard let first = listed.first(where: { ($0.start - start).magnitude <= slack }) else { return false }
            var last = first.start
            for ad in listed where ad.start >= first.start && ad.start <= last + gap {
                // One ad ends there and the next begins: the pod is on the clock from before.
                if (ad.expectedEnd(range) - end).magnitude <= slack { return false }
                last = max(last, ad.expectedEnd(range))
            }
            return last > end
        }
    }

    /// Whether a listed ad of the stream has `date` at its start or end, give or take `slack`.
    func hasBoundary(_ boundary: (KnownAd) -> UnixTime, at date: UnixTime, slack: Duration) -> Bool {
        breaks.contains { adBreak in
            adBreak.track == .primary && adBreak.presence != .vanished
                && adBreak.ads.contains { ad in
                    let time = boundary(ad)
                    return ad.presence != .vanished && (time - date).magnitude <= slack
                }
        }
    }
}

extension KnownBreak {
    /// `start`, and the starts of the listed ads that lead to an ad there without a gap larger than `gap`, the last one first.
    func starts(leadingTo start: UnixTime, dataRange: DataRange?, gap: Duration) -> [UnixTime] {
        var starts = [start]
        var first = start
        for ad in ads.reversed() where ad.start < start && ad.presence != .vanished {
            guard ad.expectedEnd(dataRange) + gap >= first else { break }
            first = ad.start
            starts.append(first)
        }
        return starts
    }
}

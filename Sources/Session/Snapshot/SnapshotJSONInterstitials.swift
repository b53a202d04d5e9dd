import Ports

/// Interstitials of `adtop-snapshot/1`.
extension SnapshotJSON {
    func interstitial(_ interstitial: InterstitialView) -> JSONValue {
        [
            "id": .string(interstitial.id), "startMs": date(interstitial.start),
            "durationMs": duration(interstitial.duration),
            "startedAtMs": date(interstitial.startedAt), "stoppedAtMs": date(interstitial.stoppedAt),
            "assetCount": .optional(interstitial.assetCount), "problem": interstitial.problem.map { text($0) } ?? .null,
            "state": .string(interstitial.state.rawValue), "elapsedMs": duration(interstitial.elapsed),
            "assetIndex": .optional(interstitial.assetIndex), "resumeOffsetMs": duration(interstitial.resumeOffset),
            "playoutLimitMs": duration(interstitial.playoutLimit), "breakKey": .optional(interstitial.breakID),
            "requests": .array(interstitial.requests.map(request)),
            "assets": .array(
                interstitial.assets.map {
                    ["uri": url($0.uri), "durationMs": duration($0.duration), "signaled": .bool($0.hasSignaling)]
                }),
            "findings": .array(
                interstitial.findings.map {
                    [
                        "rule": .string($0.rule), "severity": .string($0.severity.rawValue),
                        "message": text($0.message), "path": $0.path.map { text($0) } ?? .null,
                    ]
                }),
        ]
    }

    private func request(_ request: InterstitialRequestView) -> JSONValue {
        [
            "url": url(request.url), "atMs": date(request.at), "answered": .bool(request.isAnswered),
            "status": .optional(request.status), "tookMs": duration(request.took),
            "problem": request.problem.map { text($0) } ?? .null,
        ]
    }

    func lastInterstitial(_ last: LastInterstitialView) -> JSONValue {
        [
            "id": .string(last.id), "dateMs": date(last.date), "startMs": date(last.start), "stopMs": date(last.stop),
            "durationMs": duration(last.duration),
        ]
    }
}

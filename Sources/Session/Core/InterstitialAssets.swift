import AdTracking
import HLS
import Ports

extension MonitorState {
    /// Requests the assets that are due, but only after the journal has reported what was sent in an earlier run: their
    /// beacons may become due immediately.
    mutating func askForAssets(at now: Moment) {
        guard desk.journal.isSettled else { return }
        for request in playhead.takeAssetRequests(on: playlist.follower.timeline) { ask(request, at: now) }
    }

    /// The uptime at which the next assets must be requested.
    var nextAssetRequest: Duration? {
        desk.journal.isSettled ? playhead.nextAssetRequest(on: playlist.follower.timeline) : nil
    }

    private mutating func ask(_ request: InterstitialRequest, at now: Moment) {
        if DataURI.isOne(request.url) { return takeDataURI(request, at: now) }
        do throws(WebURLProblem) {
            let url = try WebURL(written: request.url).asking(for: request, primaryID: interstitials.primaryID)
            ask(InterstitialPart.Pending(request: request), url, at: now)
        } catch {
            interstitials.note(InterstitialPart.Request(url: request.url, at: now), of: request.id)
            assetsFailed(request, "the address \(error.explanation)", at: now)
        }
    }

    private mutating func ask(_ asked: InterstitialPart.Pending, _ url: WebURL, at now: Moment) {
        let request = asked.request
        let isList = request.kind == .assetList
        let id = desk.fetch(
            isList ? .assetList : .asset, url, limit: isList ? Limits.assetListBytes : Limits.playlistBytes,
            timeout: Playhead.assetPatience, at: now)
        interstitials.asked(id, asked, url: url.text, at: now)
        desk.note(
            .debug, "interstitial \(request.id): requesting \(isList ? "its asset list" : "the length of its asset")",
            at: now)
    }

    /// The playlist itself contains the list: no request is needed.
    private mutating func takeDataURI(_ request: InterstitialRequest, at now: Moment) {
        interstitials.note(InterstitialPart.Request(url: request.url, at: now, isAnswered: true), of: request.id)
        guard request.kind == .assetList, let body = DataURI.content(of: request.url) else {
            return assetsFailed(request, "its data: URI contains no asset list", at: now)
        }
        take(list: body, uri: "", for: request, at: now)
    }

    mutating func assetsAnswered(_ id: RequestID, _ exchange: HTTPExchange, at now: Moment) {
        guard let asked = interstitials.answered(id, exchange) else { return }
        let request = asked.request
        guard exchange.isSuccess else { return assetsFailed(request, Wording.problem(exchange), at: now) }
        switch request.kind {
        case .assetList: take(list: exchange.body, uri: exchange.finalURL ?? "", for: request, at: now)
        case .asset: take(asset: exchange, for: asked, at: now)
        }
    }

    private mutating func take(list body: [UInt8], uri: String, for request: InterstitialRequest, at now: Moment) {
        do throws(AssetListProblem) {
            let list = try AssetList.read(body, uri: uri)
            if let limit = interstitials.keep(list, bytes: body.count, of: request.id) {
                return assetsFailed(request, "the asset lists of the session exceed \(limit)", at: now)
            }
            let wasAwaited = isAwaited(request.id)
            let progress = playhead.noteAssetList(
                list, for: request.id, at: now, on: playlist.follower.timeline)
            lintLeftOut(of: request.id, at: now)
            if wasAwaited { lintDelay(of: request.id, at: now) }
            placeInterstitial(request.id, at: now)
            takeTracking(in: body, of: request.id, at: now)
            lintAssets(of: request.id, at: now)
            let entry = playhead.interstitials[id: request.id].flatMap { $0.isReady ? $0 : nil }
            let length = list.assets.isEmpty ? "" : entry?.total.map { ", \(Wording.seconds($0))" } ?? ""
            desk.note(
                .info, "interstitial \(request.id): \(list.assets.count.counted("asset"))\(length)", at: now)
            absorb(progress, at: now)
        } catch {
            assetsFailed(request, "the body \(error.explanation)", at: now)
        }
    }

    /// A service of guided insertion lists in its asset lists what is to be reported (PRV-26). Its ads are those of the
    /// interstitial, and are tracked while that plays.
    private mutating func takeTracking(in body: [UInt8], of id: String, at now: Moment) {
        let stream = streamFacts()
        guard let start = interstitials.clockStart(of: id),
            let document = metadata.provider?.read(assetList: body, from: start, on: stream)
        else { return }
        mediaShows(document, at: now)
    }

    /// The length of an asset: the sum of its media playlist.
    private mutating func take(asset exchange: HTTPExchange, for asked: InterstitialPart.Pending, at now: Moment) {
        let request = asked.request
        let parsed = PlaylistParser.parse(
            exchange.body, uri: exchange.finalURL ?? "", variables: asked.definitions ?? [:],
            isStrict: !desk.configuration.following.isLenient)
        switch parsed.kind {
        case .media(let media):
            let length = media.segments.reduce(Duration.zero) { $0 + $1.duration }
            let wasAwaited = isAwaited(request.id)
            let progress = playhead.noteAssetDuration(
                length, for: request.id, asset: request.asset, at: now, on: playlist.follower.timeline)
            if !media.hasEndList {
                noteInterstitialFinding(
                    .interstitialAssetNotVOD, "the asset has no EXT-X-ENDLIST", of: request.id,
                    section: "rfc8216bis-22 D.2",
                    at: now)
            }
            if wasAwaited { lintDelay(of: request.id, at: now) }
            placeInterstitial(request.id, at: now)
            lintAssets(of: request.id, at: now)
            absorb(progress, at: now)
        case .multivariant(let multivariant):
            let url = multivariant.variants.lazy.compactMap { try? WebURL(written: $0.uri) }.first
            guard asked.definitions == nil, let url else {
                return assetsFailed(request, "the asset has no usable variant", at: now)
            }
            ask(InterstitialPart.Pending(request: request, definitions: multivariant.definitions), url, at: now)
        case .invalid(let rule):
            assetsFailed(request, "the asset is not a playlist: \(rule)", at: now)
        }
    }

    private mutating func assetsFailed(_ request: InterstitialRequest, _ problem: String, at now: Moment) {
        interstitials.failed(request.id, problem)
        desk.noteError(.network, "interstitial \(request.id): \(problem)", from: .playlist, at: now)
        let progress = playhead.noteAssetFailure(
            problem, for: request.id, asset: request.asset, at: now, on: playlist.follower.timeline)
        if let asset = request.asset {
            noteInterstitialFinding(
                .interstitialFailed, "its asset \(asset + 1) is left out: \(problem)", of: request.id,
                section: "HLS-19", at: now)
            placeInterstitial(request.id, at: now)
            lintAssets(of: request.id, at: now)
        }
        lintFailure(of: request.id, at: now)
        absorb(progress, at: now)
    }
}

extension WebURL {
    /// Adds the query parameters that clients add (rfc8216bis-22 appendix D, HLS-18); parameters in the playlist's URI
    /// are kept.
    fileprivate func asking(for request: InterstitialRequest, primaryID: String) throws(WebURLProblem) -> WebURL {
        var items = QueryItems(query)
        items.appendIfAbsent(name: "_HLS_primary_id", value: primaryID)
        if request.kind == .assetList, let offset = request.startOffset {
            items.appendIfAbsent(name: "_HLS_start_offset", value: offset.millisecondText)
        }
        return try with(path: path, query: items.text)
    }
}

extension Duration {
    /// Seconds with at most three decimals, e.g. `12.04`.
    fileprivate var millisecondText: String {
        let milliseconds = max(0, roundedMilliseconds)
        let fraction = String(String(milliseconds % 1_000 + 1_000).dropFirst())
        let shown = fraction.reversed().drop { $0 == "0" }.reversed()
        return "\(milliseconds / 1_000)" + (shown.isEmpty ? "" : "." + String(shown))
    }
}

import Algorithms
import Ports

/// What to fetch for an interstitial.
package struct InterstitialRequest: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// X-ASSET-LIST: JSON that `AssetList` parses.
        case assetList
        /// An asset without a stated duration: a media playlist, requested for its length.
        case asset
    }

    package var id: String
    package var kind: Kind
    package var url: String
    /// Value of the `_HLS_start_offset` parameter, sent in seconds when playback begins inside the interstitial.
    package var startOffset: Duration?
    /// Index of the asset in its list; nil for a list and for X-ASSET-URI.
    package var asset: Int?

    package init(id: String, kind: Kind, url: String, startOffset: Duration? = nil, asset: Int? = nil) {
        self.id = id
        self.kind = kind
        self.url = url
        self.startOffset = startOffset
        self.asset = asset
    }
}

/// What to request for the interstitials, and when.
extension InterstitialTrack {
    /// Assets are requested when the playhead is this many target durations before the start, or at once when the tag
    /// appears later than that.
    package static let requestLead = 3
    /// Assets are requested for so many of the next interstitials at most: those of one date play one after another, and
    /// each request may be an ad decision.
    package static let requestsAhead = 8
    /// Playlists of assets without DURATION that are requested for one list, one after another; further assets are left out.
    package static let measuredAssets = 16

    /// Position at which the next unrequested assets are due for a request; nil when there are none.
    package func nextRequestPosition(_ timeline: Timeline) -> StreamTime? {
        guard entries.contains(where: \.needsRequest) else { return nil }
        return nearest.lazy.filter { entries[$0].needsRequest }.compactMap { entries[$0].position }
            .min().map {
                $0 - (timeline.targetDuration ?? .zero) * Self.requestLead
            }
    }

    /// Indices of the next interstitials to start by themselves, in order.
    private var nearest: [Int] {
        var nearest: [Int] = []
        for index in entries.indices where isAhead(index) {
            if nearest.count == Self.requestsAhead, let last = nearest.last, !precedes(index, last) { continue }
            nearest.insert(index, at: nearest.partitioningIndex { !precedes($0, index) })
            if nearest.count > Self.requestsAhead { nearest.removeLast() }
        }
        return nearest
    }

    /// Returns the requests due with the playhead at `position`; each request is returned once.
    package mutating func takeRequests(at position: StreamTime, on timeline: Timeline) -> [InterstitialRequest] {
        guard entries.contains(where: \.needsRequest) else { return [] }
        let horizon = position + (timeline.targetDuration ?? .zero) * Self.requestLead
        let near = Set(nearest.filter { entries[$0].position.map { $0 <= horizon } ?? false })
        var requests: [InterstitialRequest] = []
        for index in entries.indices where entries[index].needsRequest {
            guard entries[index].isPlaying || near.contains(index),
                let request = Self.request(for: entries[index], on: timeline)
            else { continue }
            update(request.id) { entry in
                if request.asset != nil {
                    entry.isMeasuring = true
                } else {
                    entry.assets = .requested
                    entry.startOffset = request.startOffset
                }
            }
            requests.append(request)
        }
        return requests
    }

    private static func request(for entry: TrackedInterstitial, on timeline: Timeline) -> InterstitialRequest? {
        if let asset = entry.unmeasured.first {
            return InterstitialRequest(id: entry.id, kind: .asset, url: entry.knownAssets[asset].uri, asset: asset)
        }
        let list = entry.definition.assetList
        guard let url = list ?? entry.definition.assetURI.map({ resolved($0, on: timeline) }) else { return nil }
        let offset = entry.play.map(\.joinedOffset).flatMap { $0 > .zero ? $0 : nil }
        return InterstitialRequest(
            id: entry.id, kind: list == nil ? .asset : .assetList, url: url, startOffset: offset)
    }

    /// X-ASSET-URI must be absolute, which has a finding; players resolve it where it is not.
    private static func resolved(_ uri: String, on timeline: Timeline) -> String {
        guard URIReference(uri).scheme == nil, let base = timeline.playlist?.uri else { return uri }
        return URIReference.resolve(uri, against: URIReference(base))
    }

    /// Records the answer to a request of kind `assetList`.
    package mutating func noteAssetList(_ list: AssetList, for id: String) {
        update(id) { entry in
            entry.assets = .known(list.assets)
            entry.skipControl = list.skipControl ?? entry.skipControl
            let unknown = list.assets.indices.filter { entry.duration(ofAsset: $0) == nil }
            for index in unknown.dropFirst(Self.measuredAssets) { entry.measured(index, as: nil) }
            entry.unmeasured = Array(unknown.prefix(Self.measuredAssets))
        }
    }

    /// Records the answer to a request of kind `asset`: the length of the single asset, or of that with this index in the list.
    package mutating func noteAssetDuration(_ duration: Duration, for id: String, asset: Int? = nil) {
        update(id) { entry in
            if let asset { return entry.measured(asset, as: duration) }
            entry.assets = .known([
                AssetList.Asset(uri: entry.definition.assetURI ?? "", duration: max(.zero, duration))
            ])
        }
    }

    /// Records that the request failed; `reason` is one clause. Without one asset of its list the others play.
    package mutating func noteFailure(_ reason: String, for id: String, asset: Int? = nil) {
        update(id) { entry in
            if let asset {
                entry.measured(asset, as: nil)
                guard entry.knownAssets.allSatisfy(\.isMissing) else { return }
            }
            entry.assets = .failed(reason)
            entry.unmeasured = []
        }
    }
}

package import Ports

/// The OpenRTB 2.6 `imp` of a placement (BID-1).
package enum ImpBuilder {
    /// API frameworks: MRAID 1 to 3.
    private static let bannerFrameworks: JSONValue = [3, 5, 6]
    /// Protocols: VAST 2 to 4.2 with their wrappers.
    private static let videoProtocols: JSONValue = [2, 3, 5, 6, 7, 8, 11, 12, 13, 14]
    /// `plcmt`: 1 is in-stream, 3 is standalone.
    private static let inStream: JSONValue = 1
    private static let fullScreen: JSONValue = 3
    /// `reftype`: refresh by time.
    private static let byTime: JSONValue = 3

    /// `nativeRequest` is the native request as text; nil requests title, icon, image, description and button.
    package static func imp(_ placement: Placement, version: String, nativeRequest: String? = nil) -> JSONValue {
        var imp = JSONObject()
        imp.append("id", .string(placement.impID))
        imp.append("secure", placement.acceptsInsecure ? 0 : 1)
        imp.append("tagid", .string(placement.id))
        imp.append("displaymanager", "adtop")
        imp.append("displaymanagerver", .string(version))
        if let floor = placement.floor.floor {
            imp.append("bidfloor", JSONValue(floor))
            imp.append("bidfloorcur", .string(placement.floor.currency))
        }
        append(placement.expiry, "exp", to: &imp)
        switch placement.format {
        case .banner, .interstitial: imp.append("banner", banner(placement))
        case .rewarded, .video: imp.append("video", video(placement))
        case .native:
            imp.append("native", ["request": .string(nativeRequest ?? Self.nativeRequest), "ver": "1.2"])
        }
        if placement.format == .rewarded { imp.append("rwdd", 1) }
        if placement.format == .rewarded || placement.format == .interstitial { imp.append("instl", 1) }
        if let refresh = refresh(placement) { imp.append("refresh", refresh) }
        if !placement.deals.isEmpty || placement.isPrivate { imp.append("pmp", market(placement)) }
        return .object(imp)
    }

    private static func banner(_ placement: Placement) -> JSONValue {
        var banner = JSONObject()
        banner.append(
            "format",
            .array(placement.sizes.map { ["w": .optional($0.width), "h": .optional($0.height)] }))
        banner.append("api", bannerFrameworks)
        if !placement.block.attributes.isEmpty { banner.append("battr", numbers(placement.block.attributes)) }
        return .object(banner)
    }

    private static func video(_ placement: Placement) -> JSONValue {
        var video = JSONObject()
        video.append("mimes", ["video/mp4"])
        video.append("protocols", videoProtocols)
        video.append("linearity", 1)
        let size = placement.player ?? placement.sizes.first
        append(size?.width, "w", to: &video)
        append(size?.height, "h", to: &video)
        append(placement.minimumDuration, "minduration", to: &video)
        append(placement.maximumDuration, "maxduration", to: &video)
        append(placement.startDelay, "startdelay", to: &video)
        if let pod = placement.pod {
            if let id = pod.id { video.append("podid", .string(id)) }
            video.append("podseq", .optional(pod.sequence))
            append(pod.duration, "poddur", to: &video)
            append(pod.maximumAds, "maxseq", to: &video)
        }
        if !placement.floor.durationFloors.isEmpty {
            video.append("durfloors", .array(placement.floor.durationFloors.map(\.json)))
        }
        if let perSecond = placement.floor.minimumPerSecond { video.append("mincpmpersec", JSONValue(perSecond)) }
        video.append("plcmt", placement.format == .rewarded ? fullScreen : inStream)
        if placement.format == .rewarded { video.append("companiontype", [1, 2, 3]) }
        if !placement.block.attributes.isEmpty { video.append("battr", numbers(placement.block.attributes)) }
        return .object(video)
    }

    private static func refresh(_ placement: Placement) -> JSONValue? {
        guard let interval = placement.refreshInterval else { return nil }
        var refresh = JSONObject()
        refresh.append("refsettings", [["reftype": byTime, "minint": .optional(interval)]])
        append(placement.refreshCount, "count", to: &refresh)
        return .object(refresh)
    }

    private static func market(_ placement: Placement) -> JSONValue {
        [
            "private_auction": .integer(placement.isPrivate ? 1 : 0),
            "deals": .array(placement.deals.map(\.json)),
        ]
    }

    private static func append(_ number: Int?, _ name: String, to object: inout JSONObject) {
        if let number { object.append(name, .integer(Int64(number))) }
    }

    private static func numbers(_ numbers: [Int]) -> JSONValue {
        .array(numbers.map { .integer(Int64($0)) })
    }

    /// Title, icon, main image, description and button (OpenRTB Native 1.2).
    private static let nativeRequest =
        ([
            "ver": "1.2",
            "assets": [
                ["id": 1, "required": 1, "title": ["len": 90]],
                ["id": 2, "required": 0, "img": ["type": 1, "wmin": 50, "hmin": 50]],
                ["id": 3, "required": 0, "img": ["type": 3, "wmin": 300, "hmin": 157]],
                ["id": 4, "required": 0, "data": ["type": 2, "len": 90]],
                ["id": 5, "required": 0, "data": ["type": 12, "len": 15]],
            ],
            "eventtrackers": [["event": 1, "methods": [1]]],
        ] as JSONValue).text()
}

extension FloorGuide.DurationFloor {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        if let minimum { object.append("mindur", .integer(Int64(minimum))) }
        if let maximum { object.append("maxdur", .integer(Int64(maximum))) }
        object.append("bidfloor", JSONValue(floor))
        return .object(object)
    }
}

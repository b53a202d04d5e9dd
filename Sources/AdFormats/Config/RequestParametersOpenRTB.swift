package import Ports

/// The parameters as objects of an OpenRTB 2.6 request, where it has fields for them (FMT-7).
extension RequestParameters {
    /// The `device` object.
    package var openRTBDevice: JSONValue {
        var geo = JSONObject()
        // The location was validated when it was set.
        let place = location.split(separator: ",").compactMap { Double($0) }
        if place.count == 2 {
            geo.append("lat", .double(place[0]))
            geo.append("lon", .double(place[1]))
        }
        geo.append("utcoffset", .integer(Int64(utcOffset)))
        return [
            "ua": .string(userAgent), "ifa": .string(advertisingID), "lmt": limitsTracking ? 1 : 0,
            "w": .integer(Int64(profile.screen.width)), "h": .integer(Int64(profile.screen.height)),
            "devicetype": .integer(profile.kind.openRTBType), "os": .string(profile.os),
            "osv": .string(profile.osVersion),
            "model": .string(profile.model), "language": .string(language),
            "connectiontype": .integer(connection.openRTBType), "geo": .object(geo),
        ]
    }

    /// The `app` object.
    package var openRTBApp: JSONValue {
        [
            "name": .string(appName), "bundle": .string(bundle), "ver": .string(appVersion),
            "publisher": ["id": "adtop"],
        ]
    }

    /// The `user` object; nil when there is no user data.
    package var openRTBUser: JSONValue? { consent.isEmpty ? nil : ["consent": .string(consent)] }
}

extension DeviceProfile.Kind {
    /// The device type by AdCOM, List: Device Types.
    fileprivate var openRTBType: Int64 {
        switch self {
        case .terminal: 2
        case .tv: 3
        case .phone: 4
        case .tablet: 5
        }
    }
}

extension RequestParameters.Connection {
    /// The connection type by AdCOM, List: Connection Types; cellular is of unknown generation.
    fileprivate var openRTBType: Int64 {
        switch self {
        case .unknown: 0
        case .ethernet: 1
        case .wifi: 2
        case .cell: 3
        }
    }
}

package import Ports

/// The eighteen parameters of an ad call (FMT-7). Fifteen are determined once; three may change during a session.
/// Values come from a profile, not from the machine.
package struct RequestParameters: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case `static`, dynamic
    }

    /// One parameter, for `--explain`.
    package struct Entry: Sendable, Hashable {
        package var key: String
        package var value: String
        package var kind: Kind
        /// Its meaning, for display.
        package var meaning: String
        /// The field of OpenRTB 2.6 with the same meaning; nil when there is none.
        package var openRTB: String?
    }

    package enum Orientation: String, Sendable, Hashable, CaseIterable {
        case portrait = "p"
        case landscape = "l"
    }

    package enum Connection: String, Sendable, Hashable, CaseIterable {
        case wifi, cell, ethernet, unknown
    }

    /// The advertising id of no device.
    package static let zeroID = "00000000-0000-0000-0000-000000000000"

    package var advertisingID = Self.zeroID
    package var profile: DeviceProfile
    /// Time zone in minutes from UTC.
    package var utcOffset = 0
    package var language = "en"
    package var appName = "adtop"
    package var sdkVersion: String
    package var userAgent: String
    package var bundle = "adtop"
    package var appVersion: String
    package var limitsTracking = true
    /// TCF consent string.
    package var consent = ""
    /// Latitude and longitude as `lat,lon`; empty when not set.
    package var location = ""
    package var orientation = Orientation.portrait
    package var connection = Connection.unknown

    package init(profile: DeviceProfile = .phone, version: String) {
        self.profile = profile
        sdkVersion = version
        appVersion = version
        userAgent = "adtop/\(version) (+formats)"
    }

    /// Why a parameter cannot be set, as a clause.
    package struct Problem: Error, Sendable, Hashable {
        package var explanation: String
    }

    /// Keys that ``set(_:to:)`` accepts; the others follow from the device or are adtop's own.
    package static let settableKeys = [
        "ifa", "tz", "did", "lang", "appn", "geo", "o", "conn", "ua", "bundle", "appv", "lmt", "consent",
    ]

    /// Sets one parameter by its key. A device type also sets screen, system and model.
    package mutating func set(_ key: String, to value: String) throws(Problem) {
        switch key {
        case "ifa": advertisingID = value
        case "tz":
            guard let minutes = Int(value), (-14 * 60...14 * 60).contains(minutes) else {
                throw Problem(explanation: "tz must be a number of minutes from UTC")
            }
            utcOffset = minutes
        case "did": profile = DeviceProfile(try Self.oneOf(value, key))
        case "lang": language = value
        case "appn": appName = value
        case "geo":
            guard Self.isPlace(value) else { throw Problem(explanation: "geo must be LAT,LON in degrees, or empty") }
            location = value
        case "o": orientation = try Self.oneOf(value, key)
        case "conn": connection = try Self.oneOf(value, key)
        case "ua":
            guard !value.isEmpty, value.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
                throw Problem(explanation: "ua must be a header value of printable ASCII")
            }
            userAgent = value
        case "bundle": bundle = value
        case "appv": appVersion = value
        case "lmt":
            guard value == "0" || value == "1" else { throw Problem(explanation: "lmt must be 0 or 1") }
            limitsTracking = value == "1"
        case "consent": consent = value
        default:
            let known = Self.settableKeys.joined(separator: ", ")
            throw Problem(explanation: "'\(key)' is not one of \(known)")
        }
    }

    private static func oneOf<Value: RawRepresentable<String> & CaseIterable>(
        _ text: String, _ key: String
    ) throws(Problem) -> Value {
        if let value = Value(rawValue: text) { return value }
        let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw Problem(explanation: "\(key) must be one of \(known)")
    }

    private static func isPlace(_ text: String) -> Bool {
        guard !text.isEmpty else { return true }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else { return false }
        return (-90...90).contains(latitude) && (-180...180).contains(longitude)
    }

    /// All eighteen parameters in a fixed order.
    package var entries: [Entry] {
        func entry(_ key: String, _ value: String, _ meaning: String, _ openRTB: String?) -> Entry {
            let isDynamic = Self.dynamicKeys.contains(key)
            return Entry(
                key: key, value: value, kind: isDynamic ? .dynamic : .static, meaning: meaning, openRTB: openRTB)
        }
        return [
            entry("ifa", advertisingID, "advertising id", "device.ifa"),
            entry("scr", profile.screen.text, "screen size", "device.w, device.h"),
            entry("tz", String(utcOffset), "time zone, minutes from UTC", "device.geo.utcoffset"),
            entry("did", profile.kind.rawValue, "device type", "device.devicetype"),
            entry("lang", language, "device language", "device.language"),
            entry("appn", appName, "application name", "app.name"),
            entry("geo", location, "latitude and longitude", "device.geo"),
            entry("o", orientation.rawValue, "orientation", nil),
            entry("conn", connection.rawValue, "connection type", "device.connectiontype"),
            entry("sdkv", sdkVersion, "version of adtop", "imp.displaymanagerver"),
            entry("os", profile.os, "operating system", "device.os"),
            entry("osv", profile.osVersion, "operating system version", "device.osv"),
            entry("model", profile.model, "device model", "device.model"),
            entry("ua", userAgent, "user agent", "device.ua"),
            entry("bundle", bundle, "application id", "app.bundle"),
            entry("appv", appVersion, "application version", "app.ver"),
            entry("lmt", limitsTracking ? "1" : "0", "tracking is limited", "device.lmt"),
            entry("consent", consent, "TCF consent text", "user.consent"),
        ]
    }

    private static let dynamicKeys: Set<String> = ["geo", "o", "conn"]

    /// The query of an ad call: the zone, then the parameters that have a value, then those of the config.
    package func query(for config: AdConfig) -> String {
        let zone = [AdConfig.Parameter("zone", config.unit)]
        let own = entries.filter { !$0.value.isEmpty }.map { AdConfig.Parameter($0.key, $0.value) }
        return (zone + own + config.extra)
            .map { "\($0.name.queryEncoded)=\($0.value.queryEncoded)" }.joined(separator: "&")
    }

    /// The parameters as sent in a plugin's `hello`.
    package var json: JSONValue {
        .object(JSONObject(entries.map { JSONObject.Member(name: $0.key, value: .string($0.value)) }))
    }
}

extension String {
    /// Percent-encoded except for the unreserved characters of RFC 3986 section 2.3.
    var queryEncoded: String { percentEncoded(except: \.isUnreserved) }
}

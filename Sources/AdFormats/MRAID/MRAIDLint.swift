/// The MRAID features that a creative uses, by its text (FMT-24).
///
/// Only the markup itself is checked. Scripts that it loads, and whether calls wait for `ready`, are not visible.
package struct MRAIDLint: Sendable, Hashable {
    package struct Call: Sendable, Hashable {
        package var name: String
        package var count: Int
        /// The first MRAID version with this call: 1, 2 or 3; nil for unknown names.
        package var version: Int?
        package var isDeprecated: Bool
    }

    /// Most distinct names of calls.
    static let maximumNames = 128
    /// Most bytes of markup checked.
    static let maximumBytes = 1 << 20

    /// Whether the creative loads `mraid.js`.
    package private(set) var hasScript = false
    /// Calls in the order of first use.
    package private(set) var calls: [Call] = []
    /// Whether the markup has a listener for `ready`.
    package private(set) var listensForReady = false
    package private(set) var hasEnvironment = false

    package init(_ markup: String) {
        let bytes = Array(markup.utf8.prefix(Self.maximumBytes))
        hasScript = Self.contains(bytes, "mraid.js")
        hasEnvironment = Self.contains(bytes, "MRAID_ENV")
        // Scripts are written with blanks around parentheses, too.
        let dense = bytes.filter { $0 > 0x20 }
        listensForReady = ["'", "\"", "`"].contains { Self.contains(dense, "addEventListener(\($0)ready\($0)") }
        findCalls(bytes)
    }

    /// Whether nothing of MRAID is used.
    package var isEmpty: Bool { !hasScript && calls.isEmpty && !hasEnvironment }

    /// The highest version that any call needs; nil when no MRAID call is used.
    package var versionNeeded: Int? {
        isEmpty ? nil : max(calls.compactMap(\.version).max() ?? 1, hasEnvironment ? 3 : 1)
    }

    /// Problems and limits of the check, as clauses for display.
    package var warnings: [String] {
        guard !isEmpty else { return [] }
        var warnings: [String] = []
        if !hasScript, !calls.isEmpty { warnings.append("calls MRAID without loading mraid.js") }
        if hasScript, calls.isEmpty { warnings.append("loads mraid.js but does not call it") }
        for call in calls {
            if call.isDeprecated { warnings.append("\(call.name) is deprecated in MRAID 3") }
            if call.version == nil { warnings.append("\(call.name) is not in any version of MRAID") }
        }
        if !calls.isEmpty {
            warnings.append(
                listensForReady
                    ? "the markup does not show whether every call waits for ready"
                    : "the markup has no listener for ready; calls before ready fail")
        }
        return warnings
    }

    private mutating func findCalls(_ bytes: [UInt8]) {
        let prefix = Array("mraid.".utf8)
        var counts: [String: Int] = [:]
        var order: [String] = []
        var index = 0
        while index + prefix.count < bytes.count {
            guard bytes[index] == prefix[0], bytes[index...].starts(with: prefix),
                index == 0 || !bytes[index - 1].isNamePart
            else {
                index += 1
                continue
            }
            let start = index + prefix.count
            let end = bytes[start...].firstIndex { !$0.isNamePart } ?? bytes.count
            let name = String(decoding: bytes[start..<end], as: UTF8.self)
            index = end
            // The name of the script itself is not a call.
            guard !name.isEmpty, name != "js", order.count < Self.maximumNames else { continue }
            if counts[name] == nil { order.append(name) }
            counts[name, default: 0] += 1
        }
        calls = order.map { name in
            Call(
                name: name, count: counts[name] ?? 0, version: Self.versions[name],
                isDeprecated: Self.deprecated.contains(name))
        }
    }

    private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return bytes.indices.contains { bytes[$0] == wanted[0] && bytes[$0...].starts(with: wanted) }
    }

    private static let versions: [String: Int] = [
        "addEventListener": 1, "removeEventListener": 1, "close": 1, "expand": 1, "getState": 1,
        "getPlacementType": 1, "getVersion": 1, "isViewable": 1, "open": 1, "getExpandProperties": 1,
        "setExpandProperties": 1, "useCustomClose": 1,
        "createCalendarEvent": 2, "getCurrentPosition": 2, "getDefaultPosition": 2, "getMaxSize": 2,
        "getOrientationProperties": 2, "getResizeProperties": 2, "getScreenSize": 2, "playVideo": 2, "resize": 2,
        "setOrientationProperties": 2, "setResizeProperties": 2, "storePicture": 2, "supports": 2,
        "getCurrentAppOrientation": 3, "getLocation": 3, "unload": 3, "initVpaid": 3,
    ]

    private static let deprecated: Set<String> = ["useCustomClose", "isViewable"]
}

extension UInt8 {
    fileprivate var isNamePart: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self & ~0x20) || self == UInt8(ascii: "_")
            || self == UInt8(ascii: "$")
    }
}

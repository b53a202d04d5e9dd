/// Which of MRAID a creative uses, by its text (FMT-24).
///
/// Only what stands in the markup can be seen: scripts it loads, and whether calls wait for `ready`, cannot.
package struct MRAIDLint: Sendable, Hashable {
    package struct Call: Sendable, Hashable {
        package var name: String
        package var count: Int
        /// Of MRAID that has it: 1, 2 or 3; nil for names of none.
        package var version: Int?
        package var isDeprecated: Bool
    }

    /// Names of calls told apart.
    static let maximumNames = 128
    /// Bytes of markup looked at.
    static let maximumBytes = 1 << 20

    /// The creative loads `mraid.js`.
    package private(set) var hasScript = false
    /// In order of first use.
    package private(set) var calls: [Call] = []
    /// `ready` is listened for, somewhere.
    package private(set) var listensForReady = false
    package private(set) var hasEnvironment = false

    package init(_ markup: String) {
        let bytes = Array(markup.utf8.prefix(Self.maximumBytes))
        hasScript = Self.contains(bytes, "mraid.js")
        hasEnvironment = Self.contains(bytes, "MRAID_ENV")
        listensForReady =
            Self.contains(bytes, "addEventListener('ready'") || Self.contains(bytes, "addEventListener(\"ready\"")
        findCalls(bytes)
    }

    /// Uses nothing of MRAID.
    package var isEmpty: Bool { !hasScript && calls.isEmpty && !hasEnvironment }

    /// The highest version any call needs; nil when nothing of MRAID is used.
    package var versionNeeded: Int? {
        isEmpty ? nil : max(calls.compactMap(\.version).max() ?? 1, hasEnvironment ? 3 : 1)
    }

    /// Sentences for people: what is wrong or cannot be told.
    package var warnings: [String] {
        guard !isEmpty else { return [] }
        var warnings: [String] = []
        if !hasScript, !calls.isEmpty { warnings.append("calls MRAID without loading mraid.js") }
        if hasScript, calls.isEmpty { warnings.append("loads mraid.js and calls nothing of it") }
        for call in calls {
            if call.isDeprecated { warnings.append("\(call.name) is deprecated in MRAID 3") }
            if call.version == nil { warnings.append("\(call.name) is in no version of MRAID") }
        }
        if !calls.isEmpty {
            warnings.append(
                listensForReady
                    ? "whether every call waits for ready cannot be seen in the text"
                    : "no listener for ready is in the text: calls before it fail")
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
            // The script's own name is no call.
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

/// The hosts that are requested without a proxy, as `NO_PROXY` and `--no-proxy` list them, read as curl 8 reads them:
/// names with their subdomains, addresses, networks in CIDR form, and `*` alone for every host.
///
/// Networks match only addresses that the URL has literally; names are not resolved for them.
package struct NoProxyList: Hashable, Sendable {
    private enum Entry: Hashable, Sendable {
        /// A name in lower case without dots around it.
        case name(String)
        case network(NetworkAddress, bits: Int)
    }

    private var isEverything = false
    private var entries: [Entry] = []

    /// No host.
    package init() {}

    /// Reads members between commas and blanks. Members that are neither names nor networks match nothing.
    package init(_ text: String) {
        let members = text.split { $0 == "," || $0.isWhitespace }
        isEverything = members == ["*"]
        entries = members.compactMap(Self.entry)
    }

    /// Whether `host`, as a URL has it without brackets, is requested without a proxy.
    package func contains(_ host: String) -> Bool {
        if isEverything { return true }
        if let address = NetworkAddress(host) {
            return entries.contains { entry in
                guard case .network(let network, let bits) = entry else { return false }
                return address.isIn(network, bits: bits)
            }
        }
        let name = Self.trimmed(Substring(host))
        return entries.contains { entry in
            guard case .name(let suffix) = entry else { return false }
            return name == suffix || name.hasSuffix("." + suffix)
        }
    }

    private static func entry(_ member: Substring) -> Entry? {
        let parts = member.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let host = parts.first.map { $0.hasPrefix("[") && $0.hasSuffix("]") ? $0.dropFirst().dropLast() : $0 } ?? ""
        guard let address = NetworkAddress(host) else {
            let name = trimmed(member)
            return name.isEmpty ? nil : .name(name)
        }
        guard parts.count == 2 else { return .network(address, bits: address.bits) }
        guard let bits = Int(parts[1]), (0...address.bits).contains(bits) else { return nil }
        return .network(address, bits: bits)
    }

    /// Without the dots around it, in lower case.
    private static func trimmed(_ name: Substring) -> String {
        var name = name
        while name.first == "." { name.removeFirst() }
        while name.last == "." { name.removeLast() }
        return name.lowercased()
    }
}

extension NetworkAddress {
    /// 32 or 128.
    package var bits: Int {
        switch self {
        case .v4: 32
        case .v6: 128
        }
    }

    /// Whether the first `bits` bits are those of `network`; false for another family.
    package func isIn(_ network: NetworkAddress, bits: Int) -> Bool {
        switch (self, network) {
        case (.v4(let own), .v4(let other)):
            return bits <= 0 || (own ^ other) >> UInt32(max(0, 32 - bits)) == 0
        case (.v6(let high, let low), .v6(let otherHigh, let otherLow)):
            if bits <= 64 { return bits <= 0 || (high ^ otherHigh) >> UInt64(64 - bits) == 0 }
            return high == otherHigh && (low ^ otherLow) >> UInt64(max(0, 128 - bits)) == 0
        default: return false
        }
    }

    /// The text that a socket or a URL takes: dotted IPv4, or eight groups of IPv6 without brackets.
    package var text: String {
        switch self {
        case .v4(let bits):
            return [24, 16, 8, 0].map { "\(UInt8(truncatingIfNeeded: bits >> $0))" }.joined(separator: ".")
        case .v6(let high, let low):
            return [high, low].flatMap { half in
                [48, 32, 16, 0].map { String(UInt16(truncatingIfNeeded: half >> $0), radix: 16) }
            }.joined(separator: ":")
        }
    }
}

/// An IP address, parsed from text without the operating system, and its reach.
package enum NetworkAddress: Hashable, Sendable {
    case v4(UInt32)
    /// High and low half in network order.
    case v6(UInt64, UInt64)

    /// The part of the network that an address belongs to.
    package enum Reach: Hashable, Sendable {
        case loopback
        /// Private, link-local, shared, unique local, unspecified, multicast or reserved, so not on the public
        /// Internet.
        case local
        case global
    }

    /// Parses dotted IPv4 (four decimal numbers only) or IPv6 text; nil for names and for other IPv4 notations, which
    /// resolvers interpret in different ways.
    package init?(_ text: some StringProtocol) {
        // Most hosts are names. Only IPv6 addresses have colons, and all have some.
        if text.utf8.contains(UInt8(ascii: ":")) {
            guard let (high, low) = Self.readV6(text) else { return nil }
            self = .v6(high, low)
        } else {
            guard let first = text.utf8.first, (0x30...0x39).contains(first), let v4 = Self.readV4(text) else {
                return nil
            }
            self = .v4(v4)
        }
    }

    /// Classification by the IANA special-purpose address registries (RFC 6890 and successors).
    package var reach: Reach {
        switch self {
        case .v4(let bits):
            return Self.reach(ofV4: bits)
        case .v6(0, 1):
            return .loopback
        case .v6(0, let low) where low >> 32 == 0xFFFF:
            return Self.reach(ofV4: UInt32(truncatingIfNeeded: low))
        // A translator (NAT64, RFC 6052 section 2.1) and the router of a 6to4 site (RFC 3056 section 2) have the IPv4 address from these
        // bits, and packets to them leave this machine, so none is loopback.
        case .v6(0x0064_FF9B_0000_0000, let low) where low >> 32 == 0:
            return Self.reach(ofV4: UInt32(truncatingIfNeeded: low)) == .global ? .global : .local
        case .v6(let high, _) where high >> 48 == 0x2002:
            return Self.reach(ofV4: UInt32(truncatingIfNeeded: high >> 16)) == .global ? .global : .local
        case .v6(let high, _):
            // Global unicast is 2000::/3, except the Teredo and ORCHID blocks of 2001::/23, and those of documentation: 2001:db8::/32
            // and 3fff::/20 (RFC 9637).
            guard high >> 61 == 1 else { return .local }
            let isSpecial = high >> 41 == 0x2001_0000 >> 9 || high >> 32 == 0x2001_0DB8 || high >> 44 == 0x3_FFF0
            return isSpecial ? .local : .global
        }
    }

    private static func reach(ofV4 bits: UInt32) -> Reach {
        if bits >> 24 == 127 { return .loopback }
        let blocks: [(prefix: UInt32, length: UInt32)] = [
            (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0xA9FE_0000, 16), (0xAC10_0000, 12),
            (0xC000_0000, 24),
            (0xC000_0200, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xC633_6400, 24), (0xCB00_7100, 24),
            (0xE000_0000, 3),
        ]
        return blocks.contains { bits >> (32 - $0.length) == $0.prefix >> (32 - $0.length) } ? .local : .global
    }

    private static func readV4(_ text: some StringProtocol) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                part.utf8.count == 1 || part.utf8.first != 0x30, let byte = UInt8(part)
            else { return nil }
            bits = bits << 8 | UInt32(byte)
        }
        return bits
    }

    private static func readV6(_ text: some StringProtocol) -> (UInt64, UInt64)? {
        let address = text.prefix { $0 != "%" }
        let halves = address.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        guard (1...2).contains(halves.count), let head = groups(of: halves[0]) else { return nil }
        var all = head
        if halves.count == 2 {
            guard let tail = groups(of: halves[1]), head.count + tail.count < 8 else { return nil }
            all += Array(repeating: 0, count: 8 - head.count - tail.count) + tail
        }
        guard all.count == 8 else { return nil }
        let high = all[..<4].reduce(UInt64(0)) { $0 << 16 | UInt64($1) }
        let low = all[4...].reduce(UInt64(0)) { $0 << 16 | UInt64($1) }
        return (high, low)
    }

    private static func groups(of text: some StringProtocol) -> [UInt16]? {
        if text.isEmpty { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 8 else { return nil }
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, let v4 = readV4(part) {
                groups += [UInt16(v4 >> 16), UInt16(truncatingIfNeeded: v4)]
            } else {
                guard (1...4).contains(part.utf8.count), let group = UInt16(part, radix: 16), part.utf8.first != 0x2B
                else { return nil }
                groups.append(group)
            }
        }
        return groups
    }
}

extension WebURL {
    /// The reach of the host as far as it is known without name resolution: nil for names, except `localhost` and its
    /// subdomains (RFC 6761).
    package var literalReach: NetworkAddress.Reach? { Self.literalReach(of: host) }

    /// The same for a host in lower case, without brackets.
    package static func literalReach(of host: String) -> NetworkAddress.Reach? {
        if host == "localhost" || host.hasSuffix(".localhost") { return .loopback }
        return NetworkAddress(host)?.reach
    }

    /// The reach of the host as browsers and most resolvers read it: also of an IPv4 address in another notation, such as 2130706433, 0x7f.1 or
    /// 0177.0.0.1 (WHATWG URL, "IPv4 parser"; POSIX inet_addr), of a name with a dot behind it, and with escapes. For findings, and to reject a
    /// request: resolvers differ, so nothing is allowed because of it.
    package var writtenReach: NetworkAddress.Reach? { Self.writtenReach(of: host) }

    /// The same for a host in lower case, without brackets.
    package static func writtenReach(of host: String) -> NetworkAddress.Reach? {
        let isEscaped = host.utf8.contains(UInt8(ascii: "%"))
        let host = isEscaped ? host.percentDecoded?.lowercased() ?? host : host
        let isRooted = host.utf8.last == UInt8(ascii: ".")
        return literalReach(of: isRooted ? String(host.dropLast()) : host) ?? NetworkAddress(notation: host)?.reach
    }
}

extension NetworkAddress {
    /// Parses one to four decimal, octal or hexadecimal numbers, of which the last fills what is left of the 32 bits.
    fileprivate init?(notation text: String) {
        var parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
        guard (1...4).contains(parts.count), let last = parts.popLast().flatMap(Self.number) else { return nil }
        let numbers = parts.compactMap(Self.number)
        guard numbers.count == parts.count, numbers.allSatisfy({ $0 <= 255 }),
            last >> (32 - 8 * UInt64(parts.count)) == 0
        else { return nil }
        let high = numbers.reduce(0) { $0 << 8 | $1 } << (32 - 8 * UInt64(parts.count))
        self = .v4(UInt32(truncatingIfNeeded: high | last))
    }

    private static func number(_ text: Substring) -> UInt64? {
        guard text.first?.isASCII == true, text.first?.isNumber == true else { return nil }
        if text.hasPrefix("0x") { return text.count == 2 ? 0 : UInt64(text.dropFirst(2), radix: 16) }
        return text.hasPrefix("0") ? UInt64(text, radix: 8) : UInt64(text)
    }
}

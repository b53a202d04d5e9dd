/// The conversation with a proxy until it passes bytes on: bytes in, bytes out. The bytes of a proxy are hostile, too.
package enum ProxyHandshake: Sendable {
    case connect(ConnectHandshake)
    case socks(SOCKSHandshake)

    /// What follows from an answer of the proxy.
    package enum Step: Equatable, Sendable {
        /// More bytes are needed.
        case wait
        case send([UInt8])
        /// The way is open; the rest are the first bytes from beyond the proxy.
        case done(rest: [UInt8])
        /// With a clause that follows the name of the proxy.
        case failed(ProxyFault, String)
    }

    /// The first bytes that the proxy is sent.
    package var opening: [UInt8] {
        switch self {
        case .connect(let handshake): handshake.opening
        case .socks(let handshake): handshake.opening
        }
    }

    /// The proxy sent `bytes`.
    package mutating func received(_ bytes: some Collection<UInt8>) -> Step {
        switch self {
        case .connect(var handshake):
            let step = handshake.received(bytes)
            self = .connect(handshake)
            return step
        case .socks(var handshake):
            let step = handshake.received(bytes)
            self = .socks(handshake)
            return step
        }
    }
}

/// The method CONNECT of HTTP (RFC 9110 section 9.3.6): asks an HTTP proxy for a tunnel.
package struct ConnectHandshake: Sendable {
    /// Most bytes of the head of the answer.
    package static let headBytes = 16 << 10

    private let target: AddressOverrides.Endpoint
    private let login: ProxyServer.Login?
    private var received: [UInt8] = []

    package init(target: AddressOverrides.Endpoint, login: ProxyServer.Login?) {
        self.target = target
        self.login = login
    }

    package var opening: [UInt8] {
        var text = "CONNECT \(target.text) HTTP/1.1\r\nHost: \(target.text)\r\n"
        if let login { text += "Proxy-Authorization: \(login.basic)\r\n" }
        return Array((text + "Proxy-Connection: Keep-Alive\r\n\r\n").utf8)
    }

    package mutating func received(_ bytes: some Collection<UInt8>) -> ProxyHandshake.Step {
        received += bytes
        guard let end = Self.endOfHead(received) else {
            return received.count > Self.headBytes ? .failed(.notAProxy, "its answer to CONNECT is too long") : .wait
        }
        let lines = String(decoding: received[..<end.head], as: UTF8.self).split(whereSeparator: \.isNewline)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3, let status = Int(words[1])
        else {
            return .failed(.notAProxy, "its answer to CONNECT is not HTTP")
        }
        if (100..<200).contains(status) {
            let rest = Array(received[end.body...])
            received = []
            return self.received(rest)
        }
        guard !(200..<300).contains(status) else { return .done(rest: Array(received[end.body...])) }
        return .failed(
            Self.fault(status), Self.problem(status, lines.dropFirst(), target: target, hasLogin: login != nil))
    }

    /// What a status of a proxy means (RFC 9110 section 15).
    private static func fault(_ status: Int) -> ProxyFault {
        switch status {
        case 401, 407: .login
        case 502, 503, 504: .noServer
        default: .rejected
        }
    }

    /// The reason of a proxy for not passing a request on, as a clause that follows the proxy's name.
    package static func problem(
        _ status: Int, _ fields: some Sequence<Substring>, target: AddressOverrides.Endpoint?, hasLogin: Bool
    ) -> String {
        guard status == 407 || status == 401 else {
            return "answered \(status)" + (target.map { " to CONNECT \($0.text)" } ?? "")
        }
        let schemes = fields.filter { line in
            ["proxy-authenticate:", "www-authenticate:"].contains { line.lowercased().hasPrefix($0) }
        }
        let offersBasic = schemes.isEmpty || schemes.contains { $0.lowercased().contains("basic") }
        if !offersBasic {
            let known = ["Digest", "NTLM", "Negotiate"].filter { name in
                schemes.contains { $0.lowercased().contains(name.lowercased()) }
            }
            let name = known.isEmpty ? "another scheme than Basic" : known.joined(separator: " or ")
            return "wants a login by \(name) (\(status)); only Basic is supported"
        }
        return hasLogin
            ? "rejected the user and password (\(status)); correct them in the proxy's URL"
            : "wants a user and a password (\(status)); write them before the host in the proxy's URL"
    }

    /// Where the head ends and the body begins.
    private static func endOfHead(_ bytes: [UInt8]) -> (head: Int, body: Int)? {
        let (feed, back) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        for index in bytes.indices where bytes[index] == feed {
            let next = index + 1
            if next < bytes.count, bytes[next] == feed { return (index, next + 1) }
            if next + 1 < bytes.count, bytes[next] == back, bytes[next + 1] == feed { return (index, next + 2) }
        }
        return nil
    }
}

extension ProxyServer.Login {
    /// The value of an Authorization field of the scheme Basic (RFC 7617).
    package var basic: String { "Basic " + Base64.encode(Array("\(user):\(password)".utf8)) }
}

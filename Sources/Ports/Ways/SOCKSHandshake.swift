/// SOCKS version 5 (RFC 1928) with the methods "none" and "user name and password" (RFC 1929).
package struct SOCKSHandshake: Sendable {
    private enum State {
        case method, login, reply
    }

    private let target: AddressOverrides.Endpoint
    private let user: ProxyServer.Login?
    private var state = State.method
    private var received: [UInt8] = []

    /// - Parameter target: a name, which the proxy resolves, or an address.
    package init(target: AddressOverrides.Endpoint, login: ProxyServer.Login?) {
        self.target = target
        user = login
    }

    package var opening: [UInt8] { user == nil ? [5, 1, 0] : [5, 2, 0, 2] }

    package mutating func received(_ bytes: some Collection<UInt8>) -> ProxyHandshake.Step {
        received += bytes
        switch state {
        case .method: return method()
        case .login: return login()
        case .reply: return reply()
        }
    }

    private mutating func method() -> ProxyHandshake.Step {
        guard received.count >= 2 else { return .wait }
        guard received[0] == 5 else { return .failed(.notAProxy, "does not speak SOCKS version 5") }
        let chosen = received[1]
        received.removeFirst(2)
        switch (chosen, user) {
        case (0, _):
            state = .reply
            return .send(request)
        case (2, let user?):
            state = .login
            let (name, word) = (Array(user.user.utf8.prefix(255)), Array(user.password.utf8.prefix(255)))
            return .send([1, UInt8(name.count)] + name + [UInt8(word.count)] + word)
        case (_, nil):
            return .failed(.login, "wants a user and a password; write them before the host in the proxy's URL")
        default: return .failed(.login, "accepts no login with user and password")
        }
    }

    private mutating func login() -> ProxyHandshake.Step {
        guard received.count >= 2 else { return .wait }
        guard received[1] == 0 else {
            return .failed(.login, "rejected the user and password; correct them in the proxy's URL")
        }
        received.removeFirst(2)
        state = .reply
        return .send(request)
    }

    private mutating func reply() -> ProxyHandshake.Step {
        guard received.count >= 5 else { return .wait }
        guard received[0] == 5 else { return .failed(.notAProxy, "sent a reply that is not SOCKS version 5") }
        guard received[1] == 0 else {
            return .failed(Self.fault(received[1]), Self.problem(received[1]) + " (\(target.text))")
        }
        let addressBytes: Int
        switch received[3] {
        case 1: addressBytes = 4
        case 3: addressBytes = 1 + Int(received[4])
        case 4: addressBytes = 16
        default: return .failed(.notAProxy, "sent a reply that is not SOCKS version 5")
        }
        guard received.count >= 6 + addressBytes else { return .wait }
        return .done(rest: Array(received[(6 + addressBytes)...]))
    }

    /// CONNECT to the target.
    private var request: [UInt8] {
        let place: [UInt8]
        switch NetworkAddress(target.host) {
        case .v4(let bits)?: place = [1] + Self.bytes(bits)
        case .v6(let high, let low)?: place = [4] + Self.bytes(high) + Self.bytes(low)
        case nil:
            let name = Array(target.host.utf8.prefix(255))
            place = [3, UInt8(name.count)] + name
        }
        return [5, 1, 0] + place + Self.bytes(UInt16(clamping: target.port))
    }

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        stride(from: value.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// What the code of a reply means (RFC 1928 section 6).
    private static func fault(_ code: UInt8) -> ProxyFault {
        switch code {
        case 1, 3, 4, 5, 6: .noServer
        default: .rejected
        }
    }

    private static func problem(_ code: UInt8) -> String {
        switch code {
        case 1: "reports a general failure"
        case 2: "does not allow the connection"
        case 3: "reports an unreachable network"
        case 4: "reports an unreachable host"
        case 5: "reports a refused connection"
        case 6: "reports a timeout"
        case 7: "does not connect for clients"
        case 8: "does not support this kind of address"
        default: "reports the failure \(code)"
        }
    }
}

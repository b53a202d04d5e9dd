import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One HTTP/1.1 exchange over a bare socket, so that a test sees the exact bytes of the answer.
package struct LoopbackClient: Sendable {
    package let port: Int
    /// The value of the Host field.
    package let host: String

    package init(port: Int, host: String = "127.0.0.1") {
        self.port = port
        self.host = host
    }

    /// How an exchange ended.
    package enum Outcome: Equatable, Sendable {
        /// Everything up to the end of the stream.
        case closed(String)
        /// The connection was reset after these bytes.
        case reset(String)
        /// No server listens.
        case refused
        /// No bytes arrived for ten seconds.
        case timedOut
    }

    /// Sends `method target` and reads to the end; unless `keepsAlive` the server is asked to close.
    ///
    /// On a thread of its own: a blocked thread of a shared pool could be the one the server needs.
    package func request(_ method: String, _ target: String, keepsAlive: Bool = false) async -> Outcome {
        let text = head(method, target, keepsAlive: keepsAlive)
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: exchange(text)) }
        }
    }

    /// The body of a GET that must succeed, on the calling thread: for tests that wait by reading a terminal.
    package func body(of target: String) -> String? {
        guard case .closed(let text) = exchange(head("GET", target, keepsAlive: false)),
            text.hasPrefix("HTTP/1.1 200 "),
            let end = text.firstRange(of: "\r\n\r\n")
        else { return nil }
        return String(text[end.upperBound...])
    }

    private func head(_ method: String, _ target: String, keepsAlive: Bool) -> String {
        let lines = [
            "\(method) \(target) HTTP/1.1", "Host: \(host):\(port)",
            "Connection: \(keepsAlive ? "keep-alive" : "close")",
            "User-Agent: test/1",
        ]
        return (lines + ["", ""]).joined(separator: "\r\n")
    }

    /// As ``request(_:_:keepsAlive:)`` for an exchange that must succeed: status code, head and body.
    package func get(_ target: String, method: String = "GET") async -> (status: Int, head: String, body: String) {
        guard case .closed(let text) = await request(method, target), let end = text.firstRange(of: "\r\n\r\n") else {
            return (0, "", "")
        }
        let head = String(text[..<end.lowerBound])
        return (Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0, head, String(text[end.upperBound...]))
    }

    private func exchange(_ text: String) -> Outcome {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { close(descriptor) }
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return .refused }
        let bytes = Array(text.utf8)
        guard send(descriptor, bytes, bytes.count, 0) == bytes.count else { return .reset("") }
        return readToEnd(descriptor)
    }

    private func readToEnd(_ descriptor: Int32) -> Outcome {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            let text = String(decoding: received, as: UTF8.self)
            if count == 0 { return .closed(text) }
            if count < 0 { return errno == ECONNRESET ? .reset(text) : .timedOut }
            received += buffer[..<count]
        }
    }
}

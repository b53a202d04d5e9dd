import Foundation

/// The time that `adtop vast resolve` adds to that of the servers, on a chain of five wrappers over loopback. The first
/// chain of a process runs cold code; a dashboard pays that once, so both figures are printed.
struct ChainBenchmark {
    let adtop: String

    private static let times = 41

    func measure() throws {
        let server = try TagServer(wrappers: 5)
        let report = try JSONSerialization.jsonObject(with: Data(run(server.url).utf8)) as? [String: Any]
        let answering = server.answering
        guard let elapsed = report?["all_elapsed_us"] as? [Int], elapsed.count == Self.times,
            answering.count == Self.times * (5 + 1)
        else { return print("five wrappers over loopback: the chain came to nothing") }
        let overheads = elapsed.enumerated().map { index, microseconds in
            Duration.microseconds(microseconds) - answering[(index * 6)..<(index * 6 + 6)].reduce(.zero, +)
        }
        let sorted = overheads.dropFirst().sorted()
        func text(_ span: Duration) -> String { String(format: "%.2f ms", span / .milliseconds(1)) }
        print(
            "five wrappers over loopback, above the server's answers: median of \(sorted.count) "
                + "\(text(sorted[sorted.count / 2])), p90 \(text(sorted[sorted.count * 9 / 10])) (target 5 ms), "
                + "first of a process \(text(overheads[0]))")
    }

    private func run(_ url: String) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: adtop)
        process.arguments = ["vast", "resolve", url, "--times", "\(Self.times)", "--json"]
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}

/// Answers `/N` with a wrapper that points to `/N-1`, and `/0` with an inline ad: one connection at a time, on a thread.
private final class TagServer: @unchecked Sendable {
    let url: String
    private let lock = NSLock()
    private var spent: [Duration] = []

    /// Time between each request read and its answer written.
    var answering: [Duration] { lock.withLock { spent } }

    init(wrappers: Int) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        let origin = "http://127.0.0.1:\(in_port_t(bigEndian: address.sin_port))"
        url = "\(origin)/\(wrappers)"
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                serve(connection, origin)
                close(connection)
            }
        }
    }

    private func serve(_ connection: Int32, _ origin: String) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            let start = ContinuousClock.now
            let target =
                String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ").dropFirst().first ?? "/0"
            let body = Self.document(Int(target.dropFirst()) ?? 0, origin)
            let answer = Array(
                "HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                    .utf8)
            _ = send(connection, answer, answer.count, 0)
            let span = ContinuousClock.now - start
            lock.withLock { spent.append(span) }
        }
    }

    private static func document(_ depth: Int, _ origin: String) -> String {
        let tracking = "<Impression>\(origin)/i</Impression><Error>\(origin)/e?[ERRORCODE]</Error>"
        guard depth > 0 else {
            return """
                <VAST version="4.2"><Ad id="in"><InLine>\(tracking)<Creatives><Creative><Linear><Duration>00:00:15</Duration>
                <MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="1280" height="720">\(origin)/a.mp4
                </MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
                """
        }
        return """
            <VAST version="4.2"><Ad id="w\(depth)"><Wrapper>\(tracking)<VASTAdTagURI>\(origin)/\(depth - 1)</VASTAdTagURI>
            </Wrapper></Ad></VAST>
            """
    }
}

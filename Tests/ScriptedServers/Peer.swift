import Foundation
package import TestSupport

/// A server or proxy that others wrote, on loopback ports that the system chose, with its files in a folder of its own. It
/// ends with the value.
package final class Peer: Sendable {
    /// The peers that tests use, as `scripts/setup peers` installs them.
    package enum Program: String, Sendable {
        case nginx, tinyproxy, squid, mitmdump

        /// Where it is; nil where it is not installed.
        package var path: String? {
            // Distributions have a mitmproxy that knows one mode at a time.
            let systems = self == .mitmdump ? [] : ["/usr/sbin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"]
            let places = [Self.built + "/bin/"] + systems
            return places.map { $0 + rawValue }.first { FileManager.default.isExecutableFile(atPath: $0) }
        }

        /// Whether all of them are installed.
        package static func areThere(_ programs: Program...) -> Bool { programs.allSatisfy { $0.path != nil } }

        /// The Python environment that `scripts/setup peers` makes.
        private static let built = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(".build/peers").path
    }

    /// What went wrong.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// In the order in which they were asked for.
    package let ports: [Int]
    private let folder: TemporaryFolder
    private let child: ChildProcess

    /// Starts it and waits until its ports accept connections.
    /// - Parameters:
    ///   - ports: how many it listens on.
    ///   - files: the text of each file by its name, for the folder and its ports.
    ///   - arguments: for the same.
    package init(
        _ program: Program, ports count: Int = 1, files: (TemporaryFolder, [Int]) -> [String: String] = { _, _ in [:] },
        arguments: (TemporaryFolder, [Int]) -> [String]
    ) async throws {
        guard let path = program.path else { throw Problem(description: "\(program.rawValue) is not installed") }
        folder = try TemporaryFolder()
        ports = try Self.freePorts(count)
        for (name, text) in files(folder, ports) { try folder.write(text, to: name) }
        // A proxy that gives up its rights writes there too.
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        child = try ChildProcess(
            path, arguments(folder, ports),
            environment: ["PATH": "/usr/sbin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder.path])
        for port in ports { try await waitForAnswer(on: port, of: program) }
    }

    /// The path of one of its files.
    package func file(_ name: String) -> String { folder.file(name) }

    /// On a thread of its own, because it blocks.
    private func waitForAnswer(on port: Int, of program: Program) async throws {
        let isThere = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let end = ContinuousClock.now + .seconds(60)
                while !Self.accepts(port) {
                    guard ContinuousClock.now < end, kill(self.child.pid, 0) == 0 else {
                        return continuation.resume(returning: false)
                    }
                    // Nothing announces that another program listens.
                    _ = poll(nil, 0, 10)
                }
                continuation.resume(returning: true)
            }
        }
        guard isThere else { throw Problem(description: "\(program.rawValue) does not listen: \(child.output)") }
    }

    private static func accepts(_ port: Int) -> Bool {
        let descriptor = tcpSocket()
        defer { close(descriptor) }
        var address = loopback(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// Ports that nothing uses now. All are held until the last is known, so that they differ.
    package static func freePorts(_ count: Int) throws -> [Int] {
        var descriptors: [Int32] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        return try (0..<count).map { _ in
            let descriptor = tcpSocket()
            descriptors.append(descriptor)
            var address = loopback(0)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
                }
            }
            guard isBound else { throw Problem(description: "no free port") }
            return Int(UInt16(bigEndian: address.sin_port))
        }
    }

    private static func tcpSocket() -> Int32 {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }
}

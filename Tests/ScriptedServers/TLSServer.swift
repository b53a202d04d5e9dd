import Foundation

/// `openssl s_server` on 127.0.0.1 with a certificate of a folder; it answers every request with a page. With `-HTTP` it sends the
/// file of the folder that the path names, which has a whole answer.
package final class TLSServer {
    /// On 127.0.0.1.
    package let port: Int
    private let process = Process()

    /// Starts it and waits until it listens. `name` is the certificate's.
    package init(_ folder: CertificateFolder, _ arguments: [String] = [], name: String = "server") throws {
        guard let openssl = CertificateFolder.openssl else { throw CertificateFolder.Problem(arguments: []) }
        process.executableURL = URL(fileURLWithPath: openssl)
        process.arguments =
            [
                "s_server", "-accept", "127.0.0.1:0", "-cert", folder.file("\(name).pem"), "-key",
                folder.file("\(name).key"), "-www",
            ] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var text = ""
        var found: Int?
        while found == nil {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw CertificateFolder.Problem(arguments: [text]) }
            text += String(decoding: data, as: UTF8.self)
            found = text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1)
                .first { $0.hasPrefix("ACCEPT") }
                .flatMap { $0.split(separator: ":").last }.flatMap { Int($0) }
        }
        port = found ?? 0
    }

    deinit {
        // It inherits a signal mask that may block SIGTERM, because threads of a pool start it.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

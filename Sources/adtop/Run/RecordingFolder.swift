import Foundation
import Live
import Monitoring
import Ports

/// `--record` of many sessions: a folder with a recording for each, `NAME.adtop`.
struct RecordingFolder {
    /// Of a name, without the number and the ending.
    private static let nameLength = 80

    private let order: RecordingOrder

    /// Makes the folder where it is missing, readable for its owner only.
    init(_ order: RecordingOrder) throws(CommandFailure) {
        self.order = order
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: order.path, isDirectory: &isFolder) {
            guard isFolder.boolValue else {
                throw CommandFailure(
                    .usage, "--record \(order.path): is a file; many sessions are recorded into a folder, name one")
            }
            return
        }
        do {
            try FileManager.default.createDirectory(
                atPath: order.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(.usage, "--record \(order.path): cannot be made: \(error.localizedDescription)")
        }
    }

    /// Names of the files of sessions with these names, in order. Names that only differ in what a file name cannot hold
    /// get a number.
    static func fileNames(_ sessions: [String]) -> [String] {
        var taken: Set<String> = []
        return sessions.map { session in
            let part = session.isEmpty ? "session" : FileName.part(session, maximumLength: nameLength)
            var (name, number) = (part, 1)
            // Not every file system tells case apart.
            while !taken.insert(name.lowercased()).inserted {
                number += 1
                name = "\(part)-\(number)"
            }
            return name + ".adtop"
        }
    }

    /// A recording for each session, in order; one of the same name from before is replaced.
    func recordings(
        of sessions: [(name: String, configuration: MonitorConfiguration)]
    ) throws(CommandFailure) -> [RecordingFile] {
        var files: [RecordingFile] = []
        for (file, session) in zip(Self.fileNames(sessions.map(\.name)), sessions) {
            do throws(FileProblem) {
                files.append(
                    try RecordingFile(
                        path: "\(order.path)/\(file)", configuration: session.configuration,
                        redaction: order.redaction))
            } catch {
                throw CommandFailure(.usage, "cannot record \(session.name): \(error)")
            }
        }
        return files
    }
}

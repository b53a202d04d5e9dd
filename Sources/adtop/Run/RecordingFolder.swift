import Foundation
import Live
import Ports
import Session

/// `--record` for many sessions: a folder with one recording for each, `NAME.adtop`.
struct RecordingFolder {
    /// Longest name, without number and extension, in characters.
    private static let nameLength = 80

    private let order: RecordingOrder

    /// Creates the folder if it is missing, readable for its owner only.
    init(_ order: RecordingOrder) throws(CommandFailure) {
        self.order = order
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: order.path, isDirectory: &isFolder) {
            guard isFolder.boolValue else {
                throw CommandFailure(
                    .usage, "--record \(order.path): a file; give a folder for the recordings of many sessions")
            }
            return
        }
        do throws(FileProblem) {
            try StateFolder.make(URL(fileURLWithPath: order.path).path)
        } catch {
            throw CommandFailure(.usage, "--record: \(error); name a folder that can be created")
        }
    }

    /// The file names for sessions with these names, in order. Names that differ only in characters that a file name
    /// cannot hold get a number.
    static func fileNames(_ sessions: [String]) -> [String] {
        var taken: Set<String> = []
        return sessions.map { session in
            let part = session.isEmpty ? "session" : FileName.part(session, maximumLength: nameLength)
            var (name, number) = (part, 1)
            // Some file systems ignore case.
            while !taken.insert(name.lowercased()).inserted {
                number += 1
                name = "\(part)-\(number)"
            }
            return name + ".adtop"
        }
    }

    /// Creates a recording for each session, in order; an existing file of the same name is replaced.
    func recordings(
        of sessions: [(name: String, configuration: MonitorConfiguration)]
    ) throws(CommandFailure) -> [RecordingFile] {
        var files: [RecordingFile] = []
        for (path, session) in zip(order.paths(of: sessions.map(\.name)), sessions) {
            do throws(FileProblem) {
                files.append(
                    try RecordingFile(
                        path: path, configuration: session.configuration, redaction: order.redaction))
            } catch {
                throw CommandFailure(.usage, "--record: \(session.name): \(error)")
            }
        }
        return files
    }
}

extension RecordingOrder {
    /// The files in the folder for sessions with these names, in order.
    func paths(of sessions: [String]) -> [String] {
        let folder = path.hasSuffix("/") ? path : path + "/"
        return RecordingFolder.fileNames(sessions).map { folder + $0 }
    }
}

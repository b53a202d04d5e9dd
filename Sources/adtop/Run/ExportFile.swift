import Dashboard
import Foundation
import Monitoring
import Ports

/// Files that the dashboard writes on request.
enum ExportFile {
    /// `adtop-ch7-20270101T000000Z.json`: safe characters only, whatever the stream is called.
    static func name(for snapshot: Snapshot, _ format: ExportFormat, at now: Moment) -> String {
        let name = FileName.part(snapshot.session.name, maximumLength: 40)
        let stamp = CivilTime(now.wall).iso8601.prefix(19).filter { $0 != "-" && $0 != ":" }
        let suffix = format == .text ? "txt" : format.rawValue
        return "adtop-\(name)-\(stamp)Z.\(suffix)"
    }

    /// Never overwrites.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        } catch CocoaError.fileWriteFileExists {
            throw CommandFailure(.usage, "\(path) exists already; name another file with :export FORMAT FILE")
        } catch {
            throw CommandFailure(.usage, "cannot write \(path): \(error.localizedDescription)")
        }
    }
}

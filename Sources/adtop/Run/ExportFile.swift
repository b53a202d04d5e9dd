import Dashboard
import Foundation
import Ports
import Session

/// The files of the dashboard's `:export`.
enum ExportFile {
    /// `adtop-ch7-20270101T000000Z.json`: only safe characters of the stream's name.
    static func name(for snapshot: Snapshot, _ format: ExportFormat, at now: Moment) -> String {
        let name = FileName.part(snapshot.session.name, maximumLength: 40)
        let stamp = CivilTime(now.wall).iso8601.prefix(19).filter { $0 != "-" && $0 != ":" }
        let suffix = format == .text ? "txt" : format.rawValue
        return "adtop-\(name)-\(stamp)Z.\(suffix)"
    }

    /// Writes a new file; an existing file is never overwritten.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        } catch CocoaError.fileWriteFileExists {
            throw CommandFailure(.usage, "\(path): the file exists; name another one with :export FORMAT FILE")
        } catch {
            throw CommandFailure(.usage, "\(path): cannot be written: \(error.localizedDescription)")
        }
    }
}

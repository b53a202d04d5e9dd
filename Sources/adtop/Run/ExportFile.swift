import Dashboard
import Foundation
import Live
import Ports
import Screen
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

    /// The content of a file.
    static func text(
        of snapshot: Snapshot, _ state: DashboardState, as format: ExportFormat, at now: Moment, svg writer: SVGWriter
    ) -> String {
        switch format {
        case .json: SnapshotJSON().value(of: snapshot).text(indented: true) + "\n"
        case .csv: Export.csv(snapshot)
        case .text: Export.text(snapshot, state, now: now)
        case .svg: Export.svg(snapshot, state, now: now, writer: writer)
        }
    }

    /// Writes a new file; an existing file is never overwritten.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw problem(path, errno) }
        let failure = WholeWrite.write(Array(text.utf8), to: descriptor)
        close(descriptor)
        guard let failure else { return }
        // It is ours, and half of a text is of no use.
        unlink(path)
        throw problem(path, failure)
    }

    private static func problem(_ path: String, _ code: Int32) -> CommandFailure {
        CommandFailure(.usage, "\(FileProblem(creating: path, code: code)) (:export FORMAT FILE)")
    }
}

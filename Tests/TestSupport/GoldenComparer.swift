package import Foundation

/// Compares screens with files under `Tests/Golden/<area>/<case>.<columns>x<rows>.txt` and `.styles` (TERM-25).
///
/// Text is kept at every size, style runs at ``styledSizes`` only: a role does not depend on how much room there is.
/// A missing file is recorded and the comparison fails, so a new golden is always looked at before it is kept; an
/// existing one changes only with `ADTOP_RECORD_GOLDENS=1`.
package struct GoldenComparer: Sendable {
    /// The result of a comparison.
    package enum Outcome: Equatable, Sendable {
        case same
        /// There was no file; now there is one to read.
        case recorded(String)
        /// Both texts, differing rows marked.
        case different(String)

        /// The message for the reader of a failed test; nil when the texts are the same.
        package var failure: String? {
            switch self {
            case .same: nil
            case .recorded(let path): "recorded \(path): read it, then run again"
            case .different(let text): text
            }
        }
    }

    /// The sizes at which style runs are kept beside the text, as `columns x rows`.
    package static let styledSizes: Set<[Int]> = [[80, 24], [120, 40]]

    private let folder: URL
    private let records: Bool

    /// Compares with files below `folder`, by default the project's `Tests/Golden`.
    package init(
        folder: URL = ConformanceFolder.projectRoot.appendingPathComponent("Tests/Golden"),
        records: Bool = ProcessInfo.processInfo.environment["ADTOP_RECORD_GOLDENS"] == "1"
    ) {
        self.folder = folder
        self.records = records
    }

    /// Compares rows and, at ``styledSizes``, style runs of a screen of `columns` and `rows` or of parts of it; gives one
    /// failure text for both, nil when both are the same.
    package func failure(area: String, name: String, columns: Int, rows: Int, text: String, styles: String) -> String? {
        let stem = "\(area)/\(name).\(columns)x\(rows)"
        var outcomes = [compare(text, with: stem + ".txt")]
        if Self.styledSizes.contains([columns, rows]) { outcomes.append(compare(styles, with: stem + ".styles")) }
        let failures = outcomes.compactMap(\.failure)
        return failures.isEmpty ? nil : failures.joined(separator: "\n")
    }

    /// Compares one text with one file below the folder.
    package func compare(_ text: String, with path: String) -> Outcome {
        let url = folder.appendingPathComponent(path)
        guard let data = try? Data(contentsOf: url) else {
            // A baseline that cannot be read counts as missing: it is written again, and the test fails.
            return write(text, to: url, path)
        }
        let baseline = String(decoding: data, as: UTF8.self)
        if baseline == text { return .same }
        if records { return write(text, to: url, path) }
        return .different(Self.comparison(of: baseline, with: text, path))
    }

    private func write(_ text: String, to url: URL, _ path: String) -> Outcome {
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
            return .recorded(path)
        } catch {
            return .different("\(path) cannot be written: \(error)")
        }
    }

    /// Expected and actual rows one above the other, rows that differ led by `-` and `+`, with a line of carets below.
    private static func comparison(of baseline: String, with text: String, _ path: String) -> String {
        let expected = baseline.split(separator: "\n", omittingEmptySubsequences: false)
        let actual = text.split(separator: "\n", omittingEmptySubsequences: false)
        var lines = ["\(path) differs (- expected, + actual; ADTOP_RECORD_GOLDENS=1 replaces it):"]
        for index in 0..<max(expected.count, actual.count) {
            let before = index < expected.count ? String(expected[index]) : nil
            let after = index < actual.count ? String(actual[index]) : nil
            if before == after {
                lines.append("  " + (before ?? ""))
            } else {
                if let before { lines.append("- " + before) }
                if let after { lines.append("+ " + after) }
                lines.append("  " + carets(before ?? "", after ?? ""))
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func carets(_ before: String, _ after: String) -> String {
        let (before, after) = (Array(before.unicodeScalars), Array(after.unicodeScalars))
        return String(
            (0..<max(before.count, after.count)).map { index in
                index < before.count && index < after.count && before[index] == after[index] ? " " : "^"
            })
    }
}

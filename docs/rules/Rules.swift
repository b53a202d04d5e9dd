import Ports

/// An entry of docs/rules: a numbered rule, or a code of findings.
package struct RuleEntry: Hashable, Sendable {
    /// `TRK-15` or the code of a finding, as written.
    package var id: String
    package var title: String
    /// Heading of the file it is from.
    package var field: String
    /// Paragraphs without a name, at least one.
    package var text: [String]
    /// `Name:` what else a person may call a finding whose id is a code, as `late-metadata` for `L35`.
    package var names: [String] = []
    /// `Why:` it matters; findings only.
    package var reason: String?
    /// `Do:` what to do about it; findings only.
    package var remedy: String?
    /// `Source:` the public clause or rule it is based on, or our decision with its reason.
    package var source: String
}

/// Why a file is not in the form that docs/rules/README.md describes.
package struct RuleProblem: Error, Hashable, Sendable {
    /// 1-based.
    package var line: Int
    /// One clause.
    package var message: String
}

/// Reads the entries of one file: `## ID: Title`, then paragraphs, of which `Source:` is the last.
package enum RuleReader {
    /// - Throws: the first problem; entries are written by us, so one is a fault of the file.
    package static func entries(of text: String) throws(RuleProblem) -> [RuleEntry] {
        var entries: [RuleEntry] = []
        var (field, open) = ("", OpenEntry?.none)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("## ") {
                if let open { entries.append(try open.closed(field)) }
                open = try OpenEntry(line.dropFirst(3), line: index + 1)
            } else if line.hasPrefix("# ") {
                field = String(line.dropFirst(2))
            } else if open != nil {
                open?.take(line)
            }
        }
        if let open { entries.append(try open.closed(field)) }
        return entries
    }

    /// An entry while its lines are read.
    private struct OpenEntry {
        let line: Int
        let id: String
        let title: String
        private var paragraphs: [String] = []
        private var isInParagraph = false

        init(_ heading: Substring, line: Int) throws(RuleProblem) {
            guard let end = heading.firstIndex(of: ":"), end != heading.startIndex, !heading[..<end].contains(" ")
            else {
                throw RuleProblem(line: line, message: "the heading has no id before a colon")
            }
            self.line = line
            id = String(heading[..<end])
            title = String(heading[heading.index(after: end)...].drop { $0 == " " })
            if title.isEmpty { throw RuleProblem(line: line, message: "\(id) has no title") }
        }

        mutating func take(_ line: Substring) {
            guard !line.isEmpty else {
                isInParagraph = false
                return
            }
            if isInParagraph, let last = paragraphs.indices.last {
                paragraphs[last] += " " + line
            } else {
                paragraphs.append(String(line))
                isInParagraph = true
            }
        }

        func closed(_ field: String) throws(RuleProblem) -> RuleEntry {
            let names = ["Name: ", "Why: ", "Do: ", "Source: "]
            let text = paragraphs.filter { paragraph in !names.contains { paragraph.hasPrefix($0) } }
            if text.isEmpty { throw RuleProblem(line: line, message: "\(id) has no text") }
            guard let source = named("Source: ") else {
                throw RuleProblem(line: line, message: "\(id) has no source")
            }
            return RuleEntry(
                id: id, title: title, field: field, text: text,
                names: named("Name: ")?.split(separator: ", ").map { $0.filter { $0 != "`" } } ?? [],
                reason: named("Why: "), remedy: named("Do: "), source: source)
        }

        private func named(_ name: String) -> String? {
            paragraphs.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
        }
    }
}

/// All entries, in the order of the files.
package struct RuleLibrary: Sendable {
    package let entries: [RuleEntry]
    private let places: [String: Int]
    private let named: [String: Int]

    /// If two entries have the same id or name, ignoring case, the first one counts.
    package init(_ entries: [RuleEntry]) {
        self.entries = entries
        places = Dictionary(
            entries.enumerated().map { ($1.id.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        named = Dictionary(
            entries.enumerated().flatMap { place, entry in entry.names.map { ($0.lowercased(), place) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The entry with that id, compared without case.
    package subscript(id: String) -> RuleEntry? {
        places[id.lowercased()].map { entries[$0] }
    }

    /// The entry with that id, or of the finding with that name, compared without case. An id comes first.
    package func entry(named name: String) -> RuleEntry? {
        self[name] ?? named[name.lowercased()].map { entries[$0] }
    }

    /// Ids that a person may have meant by a mistyped one, nearest first.
    package func nearest(to id: String, count: Int = 3) -> [String] {
        SimilarNames.nearest(to: id, in: entries.map(\.id), count: count)
    }

    /// The rules that come with the program. A file that cannot be read has no entries; a test checks all.
    package static let builtIn = RuleLibrary(
        RuleFile.allCases.flatMap { file in
            // A test reads every file; the program goes without one rather than not at all.
            (try? RuleReader.entries(of: file.text)) ?? []
        })
}

/// The files of docs/rules that hold entries, embedded so that the program runs from a single file.
package enum RuleFile: String, CaseIterable, Sendable {
    case tracking, providers, playlists, vast, bidding, formats, cache, terminal, fleet
    case findingsTracking = "findings-tracking"
    case findingsPlaylists = "findings-playlists"
    case findingsVAST = "findings-vast"
    case findingsOther = "findings-other"

    /// The text of `NAME.md` beside this file.
    package var text: String {
        let bytes =
            switch self {
            case .tracking: PackageResources.tracking_md
            case .providers: PackageResources.providers_md
            case .playlists: PackageResources.playlists_md
            case .vast: PackageResources.vast_md
            case .bidding: PackageResources.bidding_md
            case .formats: PackageResources.formats_md
            case .cache: PackageResources.cache_md
            case .terminal: PackageResources.terminal_md
            case .fleet: PackageResources.fleet_md
            case .findingsTracking: PackageResources.findings_tracking_md
            case .findingsPlaylists: PackageResources.findings_playlists_md
            case .findingsVAST: PackageResources.findings_vast_md
            case .findingsOther: PackageResources.findings_other_md
            }
        return String(decoding: bytes, as: UTF8.self)
    }
}

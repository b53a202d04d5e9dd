import Screen

/// The paths with which a command line may go on: the file of `:export`, and of `:theme` where a path is begun.
enum PathCompletion {
    /// The path before the cursor; nil where the line has none.
    /// - Parameter isInTable: whether a table is shown, which has few commands.
    static func path(in line: String, isInTable: Bool = false) -> Substring? {
        guard let blank = line.firstIndex(of: " "), let spec = CommandSpec.named(line[..<blank]),
            spec.isOfTable || !isInTable
        else { return nil }
        let argument = line[blank...].drop { $0 == " " }
        switch spec.argument {
        case .export:
            let format = argument.prefix { $0 != " " }
            guard ExportFormat(rawValue: String(format)) != nil, format.count < argument.count else { return nil }
            return argument.dropFirst(format.count).drop { $0 == " " }
        case .theme:
            // Without a slash or a dot it is the name of a theme.
            return argument.contains("/") || argument.contains(".") ? argument : nil
        default: return nil
        }
    }

    /// Its folder up to the last slash; empty where it has none.
    static func folder(of path: Substring) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// The names that begin so, hidden ones only behind a dot; none while those of another folder are known.
    static func candidates(for line: String, in listing: FolderListing?) -> [Completion.Candidate] {
        guard let path = path(in: line), let listing, listing.folder == folder(of: path) else { return [] }
        let begun = path.dropFirst(listing.folder.count)
        let before = String(line.dropLast(begun.count))
        // A theme is read, an exported file is new.
        let isWritten = line.hasPrefix("export")
        return listing.entries.filter { entry in
            entry.name.hasPrefix(begun) && (begun.hasPrefix(".") || !entry.name.hasPrefix("."))
        }.map { entry in
            let name = entry.isFolder ? entry.name + "/" : entry.name
            return Completion.Candidate(
                line: before + name, title: name,
                summary: entry.isFolder ? "folder" : isWritten ? "exists, and is not overwritten" : "",
                needsArgument: entry.isFolder, isFolder: entry.isFolder)
        }
    }
}

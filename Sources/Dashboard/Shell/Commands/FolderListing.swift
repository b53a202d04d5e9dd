/// The names in a folder, for the completion of paths. Whoever shows the dashboard reads them.
package struct FolderListing: Sendable, Equatable {
    /// A file or folder in it.
    package struct Entry: Sendable, Equatable {
        package var name: String
        package var isFolder: Bool

        package init(_ name: String, isFolder: Bool = false) {
            (self.name, self.isFolder) = (name, isFolder)
        }
    }

    /// Most names of a folder that are offered.
    package static let limit = 1_000

    /// The folder as it was typed, up to its last slash; empty for the one in which the program was started.
    package var folder: String
    /// In the order of their names.
    package var entries: [Entry]

    package init(_ folder: String, _ entries: [Entry]) {
        (self.folder, self.entries) = (folder, entries)
    }
}

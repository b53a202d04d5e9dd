import Dashboard
import Dispatch
import Foundation

/// Reads a folder for the completion of paths in the command line of the dashboard.
enum FolderNames {
    /// One folder after the other, on a thread of its own: one of a disk that does not answer holds no other work.
    private static let queue = DispatchQueue(label: "adtop.folders")

    /// Reads a folder and passes its names on.
    static func read(_ folder: String, then pass: @escaping @Sendable (FolderListing) -> Void) {
        queue.async { pass(listing(of: folder)) }
    }

    /// The names in a folder; none where it cannot be read: the command that gets the path gives the reason.
    static func listing(of folder: String) -> FolderListing {
        let path = folder.isEmpty ? "." : folder
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter(isTypable).sorted()
        let entries = names.prefix(FolderListing.limit).map { name in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder)
            return FolderListing.Entry(name, isFolder: exists && isFolder.boolValue)
        }
        return FolderListing(folder, entries)
    }

    /// Whether a name can be typed in a line.
    private static func isTypable(_ name: String) -> Bool {
        name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

import Dashboard
import Foundation

/// Reads a folder for the completion of paths in the command line of the dashboard.
enum FolderNames {
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

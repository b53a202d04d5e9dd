import Dashboard
import TestSupport
import Testing

@testable import adtop

/// What a folder has for the completion of paths.
@Suite struct FolderNamesTests {
    @Test func namesAreInOrderAndFoldersAreKnown() throws {
        let folder = try TemporaryFolder()
        for name in ["b.svg", "a/inside.txt", ".hidden", "new\nline"] { try folder.write("", to: name) }
        let typed = folder.path + "/"
        let listing = FolderNames.listing(of: typed)
        #expect(listing.folder == typed)
        #expect(listing.entries == [.init(".hidden"), .init("a", isFolder: true), .init("b.svg")])
    }

    @Test func namesArePassedOn() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "a.svg")
        let typed = folder.path + "/"
        let listing = await withCheckedContinuation { answer in
            FolderNames.read(typed) { answer.resume(returning: $0) }
        }
        #expect(listing == FolderListing(typed, [.init("a.svg")]))
    }

    @Test func whatCannotBeReadHasNoNames() throws {
        let folder = try TemporaryFolder()
        #expect(FolderNames.listing(of: folder.file("nope/")).entries.isEmpty)
        #expect(!FolderNames.listing(of: "").entries.isEmpty, "the folder in which the program was started")
    }

    @Test func aLargeFolderIsCutOff() throws {
        let folder = try TemporaryFolder()
        for number in 0...FolderListing.limit { try folder.write("", to: "\(number)") }
        #expect(FolderNames.listing(of: folder.path + "/").entries.count == FolderListing.limit)
    }
}

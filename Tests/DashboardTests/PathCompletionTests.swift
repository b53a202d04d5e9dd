import Screen
import Testing

@testable import Dashboard
@testable import Session

/// Paths in the command line (improvement 11): the names of a folder are an effect and its answer.
@Suite struct PathCompletionTests {
    private static let here = FolderListing(
        "", [.init(".hidden"), .init("out", isFolder: true), .init("outline.svg"), .init("Report.csv")])
    private static let out = FolderListing("out/", [.init("a file.svg"), .init("b.json")])

    private func sample(_ line: String) throws -> DashboardSample {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press(":")
        sample.type(line)
        return sample
    }

    private func titles(_ sample: DashboardSample) -> [String] { sample.state.candidates(sample.snapshot).map(\.title) }

    @Test(
        "what is typed tells which folder is read, once each",
        arguments: [
            ("export svg ", [""]), ("export svg  o", [""]), ("export svg out/x", ["", "out/"]), ("export svg", []),
            ("export /var/l", []), ("export json ../a/b", ["", "../", "../a/"]), ("theme midn", []),
            ("theme ./", ["", "./"]), ("theme my.yaml", [""]), ("filter a/b", []), ("quit ./", []),
        ])
    func asks(_ line: String, _ folders: [String]) throws {
        var sample = try sample("")
        var asked: [DashboardEffect] = []
        for letter in line {
            sample.type(String(letter))
            asked += sample.effects
        }
        #expect(asked == folders.map(DashboardEffect.listFolder))
        sample.send(.ticked)
        #expect(sample.effects.isEmpty)
    }

    @Test("names that begin so are offered, folders as such, hidden ones behind a dot")
    func offers() throws {
        var sample = try sample("export svg ")
        #expect(titles(sample).isEmpty)
        sample.send(.folderRead(Self.here))
        #expect(titles(sample) == ["out/", "outline.svg", "Report.csv"])
        #expect(TextWriter.text(of: sample.frame.grid).contains("exists, and is not overwritten"))
        sample.type("ou")
        #expect(titles(sample) == ["out/", "outline.svg"])
        try sample.press("C-w")
        sample.type(".")
        #expect(titles(sample) == [".hidden"])
    }

    @Test("Tab and Enter on a folder go into it, and a file is the file of the command")
    func goesOn() throws {
        var sample = try sample("export svg ")
        sample.send(.folderRead(Self.here))
        sample.type("o")
        try sample.press("Tab")
        #expect(sample.state.entry?.line.text == "export svg out", "what they have in common")
        try sample.press("Tab Enter")
        #expect(sample.state.entry?.line.text == "export svg out/" && sample.effects == [.listFolder("out/")])
        #expect(titles(sample).isEmpty, "the names of the folder before are not those of this one")
        sample.send(.folderRead(Self.out))
        sample.type("a")
        try sample.press("Tab")
        #expect(sample.state.entry?.line.text == "export svg out/a file.svg")
        try sample.press("Enter")
        #expect(sample.effects == [.export(.svg, file: "out/a file.svg")])
    }

    @Test("names that come too late, or without a line, change nothing")
    func late() throws {
        var sample = try sample("export svg out/")
        sample.send(.folderRead(Self.here))
        #expect(titles(sample).isEmpty)
        try sample.press("Esc")
        sample.send(.folderRead(Self.out))
        #expect(sample.state.entry == nil)
    }

    @Test("a path behind theme is a file, and a name is a theme") func theme() throws {
        var sample = try sample("theme ./")
        sample.send(.folderRead(FolderListing("./", [.init("mine.yaml"), .init("themes", isFolder: true)])))
        #expect(titles(sample) == ["mine.yaml", "themes/"])
        #expect(!TextWriter.text(of: sample.frame.grid).contains("overwritten"))
        sample.type("m")
        try sample.press("Tab Enter")
        #expect(sample.effects == [.setTheme("./mine.yaml")])
    }
}

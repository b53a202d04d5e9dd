import Foundation
import TestSupport
import Testing

@Suite struct GoldenComparerTests {
    private func temporaryFolder() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("golden-\(UUID().uuidString)")
    }

    @Test func aMissingBaselineIsRecordedAndFails() {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let comparer = GoldenComparer(folder: folder, records: false)
        #expect(comparer.compare("a |\n", with: "area/case.txt") == .recorded("area/case.txt"))
        #expect(comparer.compare("a |\n", with: "area/case.txt") == .same)
    }

    @Test func aDifferenceShowsBothRowsAndTheCells() throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let comparer = GoldenComparer(folder: folder, records: false)
        _ = comparer.compare("same |\nold  |\n", with: "case.txt")
        let failure = try #require(comparer.compare("same |\nolx  |\n", with: "case.txt").failure)
        #expect(failure.contains("  same |\n- old  |\n+ olx  |\n    ^"))
        #expect(comparer.compare("same |\nold  |\n", with: "case.txt") == .same)
    }

    @Test func onlyTheFlagReplacesABaseline() {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = GoldenComparer(folder: folder, records: false).compare("old", with: "case.txt")
        #expect(GoldenComparer(folder: folder, records: true).compare("new", with: "case.txt") == .recorded("case.txt"))
        #expect(GoldenComparer(folder: folder, records: false).compare("new", with: "case.txt") == .same)
    }

    @Test func aScreenIsTextAndStyles() throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let comparer = GoldenComparer(folder: folder, records: false)
        func failure(_ text: String, _ styles: String) -> String? {
            comparer.failure(area: "pane", name: "empty", columns: 80, rows: 24, text: text, styles: styles)
        }
        let recorded = try #require(failure("x|\n", "0: 0-0 header\n"))
        #expect(recorded.contains("pane/empty.80x24.txt"))
        #expect(recorded.contains("pane/empty.80x24.styles"))
        #expect(failure("x|\n", "0: 0-0 header\n") == nil)
        #expect(failure("x|\n", "") != nil)
    }

    @Test func stylesAreKeptAtTwoSizesOnly() throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let comparer = GoldenComparer(folder: folder, records: false)
        for (columns, rows) in [(80, 24), (120, 40), (200, 60), (40, 8), (24, 80)] {
            let failure = try #require(
                comparer.failure(area: "a", name: "b", columns: columns, rows: rows, text: "", styles: "x"))
            let isStyled = columns == 80 || columns == 120
            #expect(failure.contains("a/b.\(columns)x\(rows).txt"))
            #expect(failure.contains(".styles") == isStyled)
        }
    }
}

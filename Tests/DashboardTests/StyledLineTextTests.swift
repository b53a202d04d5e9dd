import Screen
import Testing

@testable import Dashboard

/// Lines that are too long for one row.
@Suite struct StyledLineTextTests {
    @Test("a row begins with a word, however many blanks are between it and the word before", arguments: 12...22)
    func blanks(_ width: Int) {
        let line = StyledLine("length 16.0s   end 12:41:33   source marker")
        let rows = line.wrapped(columns: width).map(\.string)
        #expect(rows.allSatisfy { !$0.hasPrefix(" ") && $0.count <= width }, "\(rows)")
        #expect(rows.joined(separator: " ").split(separator: " ") == line.string.split(separator: " "))
    }

    @Test("the blanks of text whose columns are not its bytes, too")
    func wide() {
        let rows = StyledLine("広告の長さ   16.0s").wrapped(columns: 12).map(\.string)
        #expect(rows == ["広告の長さ  ", "16.0s"])
    }

    @Test("what is indented keeps its blanks in front")
    func indented() {
        let rows = StyledLine("    source marker").wrapped(columns: 12).map(\.string)
        #expect(rows == ["    source ", "marker"])
    }
}

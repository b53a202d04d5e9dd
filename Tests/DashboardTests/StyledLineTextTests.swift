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

    @Test("a short part that several blanks set apart is not broken, and prose is")
    func parts() {
        let line = StyledLine("127.0.0.1   19 done   5 failed   4 unknown")
        #expect(line.wrapped(columns: 36).map(\.string) == ["127.0.0.1   19 done   5 failed   ", "4 unknown"])
        #expect(
            StyledLine("known since it began   the first answer of the session").wrapped(columns: 40).map(\.string)
                == ["known since it began   the first answer ", "of the session"])
        for width in 0...8 { _ = StyledLine("a  b   c d  e").wrapped(columns: width) }
    }

    @Test("what is indented keeps its blanks in front")
    func indented() {
        let rows = StyledLine("    source marker").wrapped(columns: 12).map(\.string)
        #expect(rows == ["    source ", "marker"])
    }
}

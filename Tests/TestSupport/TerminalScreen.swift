/// What a terminal shows of the bytes that a program has written: its text without styles, one cell per character. It knows
/// the sequences that ncurses writes for `xterm-256color`; others are skipped.
package struct TerminalScreen {
    private let width: Int
    private var cells: [[Character]]
    private var (x, y) = (0, 0)
    private var saved = (x: 0, y: 0)
    /// The last column was written, and the next character begins the next line.
    private var wraps = false
    /// Rows that scroll.
    private var margins: ClosedRange<Int>
    private var last: Character = " "
    /// The picture before a frame that is not complete (mode 2026): a person does not see it torn.
    private var held: [[Character]]?
    /// The beginning of a sequence whose end has not come.
    private var rest: ArraySlice<UInt8> = []

    /// An empty screen.
    package init(columns: Int, rows: Int) {
        width = columns
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        margins = 0...rows - 1
    }

    private var picture: [[Character]] { held ?? cells }

    /// The rows from top to bottom.
    package var rows: [String] { picture.map { String($0) } }

    /// The place of the first cell of a text, the topmost one; nil where it is not on the screen in one row.
    package func place(of text: String) -> (x: Int, y: Int)? {
        let wanted = Array(text)
        for (y, row) in picture.enumerated() where wanted.count <= row.count {
            let starts = 0...row.count - wanted.count
            if let x = starts.first(where: { row[$0..<$0 + wanted.count].elementsEqual(wanted) }) { return (x, y) }
        }
        return nil
    }

    /// Takes the next bytes.
    package mutating func write(_ bytes: some Sequence<UInt8>) {
        var left = rest + bytes
        while let first = left.first {
            guard let length = Self.length(of: left) else { break }
            let sequence = left.prefix(length)
            left = left.dropFirst(length)
            switch first {
            case 0x1B: escape(Array(sequence))
            case 0x08: move(to: x - 1, y)
            case 0x09: move(to: (x / 8 + 1) * 8, y)
            case 0x0A: lineFeed()
            case 0x0D: move(to: 0, y)
            case 0..<0x20, 0x7F: break
            default: for character in String(decoding: sequence, as: UTF8.self) { put(character) }
            }
        }
        rest = left
    }

    /// The bytes of the sequence or character at the start; nil while its end is missing.
    private static func length(of bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.first else { return nil }
        let second = bytes.dropFirst().first
        switch (first, second) {
        case (0x1B, nil): return nil
        case (0x1B, UInt8(ascii: "[")?):
            return bytes.dropFirst(2).firstIndex { 0x40...0x7E ~= $0 }.map { $0 - bytes.startIndex + 1 }
        case (0x1B, UInt8(ascii: "]")?), (0x1B, UInt8(ascii: "P")?):
            for index in bytes.indices.dropFirst(2) {
                if bytes[index] == 0x07 { return index - bytes.startIndex + 1 }
                if bytes[index] == UInt8(ascii: "\\"), bytes[index - 1] == 0x1B { return index - bytes.startIndex + 1 }
            }
            return nil
        case (0x1B, UInt8(ascii: "(")?), (0x1B, UInt8(ascii: ")")?): return bytes.count >= 3 ? 3 : nil
        case (0x1B, _): return 2
        default:
            let wanted = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            return bytes.count >= wanted ? wanted : nil
        }
    }

    private mutating func escape(_ sequence: [UInt8]) {
        switch sequence[1] {
        case UInt8(ascii: "["): control(sequence)
        case UInt8(ascii: "7"): saved = (x, y)
        case UInt8(ascii: "8"): move(to: saved.x, saved.y)
        case UInt8(ascii: "M"): if y == margins.lowerBound { scroll(by: -1) } else { move(to: x, y - 1) }
        case UInt8(ascii: "D"): lineFeed()
        default: break
        }
    }

    private mutating func control(_ sequence: [UInt8]) {
        let text = String(decoding: sequence.dropFirst(2).dropLast(), as: UTF8.self)
        let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let first = numbers.first ?? 0
        let count = max(1, first)
        let blank = Character(" ")
        switch sequence.last.map({ Character(UnicodeScalar($0)) }) {
        case "h" where text == "?2026": held = picture
        case "l" where text == "?2026": held = nil
        case "A": move(to: x, y - count)
        case "B": move(to: x, y + count)
        case "C": move(to: x + count, y)
        case "D": move(to: x - count, y)
        case "G": move(to: count - 1, y)
        case "d": move(to: x, count - 1)
        case "H", "f": move(to: max(1, numbers.dropFirst().first ?? 1) - 1, count - 1)
        case "J": eraseScreen(first)
        case "K": erase(first == 1 ? 0..<x + 1 : first == 2 ? 0..<width : x..<width, in: y)
        case "X": erase(x..<min(width, x + count), in: y)
        case "@":
            cells[y] = Array(
                (cells[y].prefix(x) + repeatElement(blank, count: count) + cells[y].dropFirst(x)).prefix(width))
        case "P":
            cells[y].removeSubrange(x..<min(width, x + count))
            cells[y] += repeatElement(blank, count: width - cells[y].count)
        case "L": scroll(by: -count, from: y)
        case "M": scroll(by: count, from: y)
        case "S": scroll(by: count)
        case "T": scroll(by: -count)
        case "r":
            let bottom = numbers.count > 1 && numbers[1] > 0 ? numbers[1] : cells.count
            margins = count - 1...max(count - 1, min(bottom, cells.count) - 1)
            move(to: 0, 0)
        case "b": for _ in 0..<count { put(last) }
        case "h" where text == "?1049": eraseScreen(2)
        default: break
        }
    }

    private mutating func put(_ character: Character) {
        if wraps {
            lineFeed()
            x = 0
        }
        cells[y][x] = character
        last = character
        wraps = x == width - 1
        if !wraps { x += 1 }
    }

    private mutating func move(to x: Int, _ y: Int) {
        self.x = min(max(0, x), width - 1)
        self.y = min(max(0, y), cells.count - 1)
        wraps = false
    }

    private mutating func lineFeed() {
        if y == margins.upperBound { scroll(by: 1) } else { y = min(y + 1, cells.count - 1) }
        wraps = false
    }

    private mutating func erase(_ columns: Range<Int>, in row: Int) {
        for column in columns { cells[row][column] = " " }
    }

    private mutating func eraseScreen(_ part: Int) {
        if part == 0 { erase(x..<width, in: y) } else if part == 1 { erase(0..<x + 1, in: y) }
        let others = part == 0 ? y + 1..<cells.count : part == 1 ? 0..<y : 0..<cells.count
        for row in others { erase(0..<width, in: row) }
    }

    /// Moves the rows from `top` to the lower margin up, or down where `count` is negative.
    private mutating func scroll(by count: Int, from top: Int? = nil) {
        let top = top ?? margins.lowerBound
        guard top <= margins.upperBound else { return }
        let empty = Array(repeating: Character(" "), count: width)
        for _ in 0..<min(abs(count), margins.upperBound - top + 1) {
            cells.remove(at: count > 0 ? top : margins.upperBound)
            cells.insert(empty, at: count > 0 ? margins.upperBound : top)
        }
    }
}

import Ports
import Screen

/// A text that the filter of a pane can look for, because rows have it: what a user would type.
struct FilterWord: Sendable, Equatable {
    /// The most words of one pane.
    private static let most = 200

    let text: String
    /// How many rows have it.
    var summary: SafeText = .empty

    /// The texts, each once with its number, in the order in which they come. One that begins with `!` would invert the filter.
    static func counted(_ texts: some Sequence<String>, _ noun: String) -> [FilterWord] {
        var counts: [String: Int] = [:]
        var order: [String] = []
        for text in texts where !text.isEmpty && !text.hasPrefix("!") {
            if let count = counts[text] {
                counts[text] = count + 1
            } else if order.count < most {
                counts[text] = 1
                order.append(text)
            }
        }
        return order.map { FilterWord(text: $0, summary: SafeText(outside: (counts[$0] ?? 0).counted(noun))) }
    }

    /// The lists one after the other; what several of them have is only where it is first.
    static func joined(_ lists: [FilterWord]...) -> [FilterWord] {
        var seen: Set<String> = []
        return lists.flatMap { $0 }.filter { seen.insert($0.text).inserted }
    }
}

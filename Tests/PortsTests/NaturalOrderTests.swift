import Ports
import TestSupport
import Testing

struct NaturalOrderTests {
    /// Each comes before all that follow.
    private static let names = [
        "", "-", "7", "007x", "10", "a", "a01", "a1", "a1b", "a2", "a2b010", "a2b10", "a10", "a10-2", "a10-10",
        "a18446744073709551615", "a18446744073709551616", "ab", "ch2@eu", "ch10@eu", "é1", "é10",
    ]

    @Test func numbersCountAsNumbers() {
        for (place, name) in Self.names.enumerated() {
            for (other, later) in Self.names.enumerated() {
                #expect(
                    NaturalOrder.precedes(name, later) == (place < other), "'\(name)' before '\(later)'")
            }
        }
    }

    /// A strict order of all texts: one of two different ones is first, and what is before the second is before the third.
    @Test func isAStrictOrder() {
        var random = SplitMix64(seed: 7)
        func text() -> String {
            String((0..<Int(random.next() % 6)).map { _ in Array("0012a-é")[Int(random.next() % 7)] })
        }
        for _ in 0..<3_000 {
            let (one, two, three) = (text(), text(), text())
            #expect(!(NaturalOrder.precedes(one, two) && NaturalOrder.precedes(two, one)))
            if one != two { #expect(NaturalOrder.precedes(one, two) || NaturalOrder.precedes(two, one)) }
            if NaturalOrder.precedes(one, two), NaturalOrder.precedes(two, three) {
                #expect(NaturalOrder.precedes(one, three), "\(one) \(two) \(three)")
            }
        }
    }
}

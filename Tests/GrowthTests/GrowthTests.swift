import GrowthCases
import Testing

/// Nothing that a server repeats may cost more than n log n: one hostile stream would take a core from all sessions.
///
/// Processor time of the thread is measured, not time that passes, and only as a ratio: a busy machine changes neither.
@Suite(.serialized) struct GrowthTests {
    /// n log n at these sizes is below 1.2; the square of n is 2.
    private static let limit = 1.4

    private static func growth(_ growing: GrowthCase) -> Growth {
        Growth(growing, from: max(1, growing.size / 4), by: 4, steps: 1, repeats: 1)
    }

    /// Below a limit, such as that of findings, work may well grow faster; a square of n is one at four times the size, too.
    private static func largerGrowth(_ growing: GrowthCase) -> Growth {
        Growth(growing, by: 4, steps: 1, repeats: 1)
    }

    /// What is a square of n is one in each measurement; what the caches of a busy machine add is not.
    @Test(arguments: GrowthCase.all) func costGrowsNoFasterThanNLogN(_ growing: GrowthCase) {
        guard Self.growth(growing).exponent > Self.limit else { return }
        var larger = Self.largerGrowth(growing)
        if larger.exponent > Self.limit { larger = Self.largerGrowth(growing) }
        #expect(larger.exponent <= Self.limit, "\(growing): \(larger.points)")
    }

    /// The measure itself tells a scan of everything for each element from one pass. What takes less than a millisecond is measured several
    /// times: the first time may be that of a page that is not there yet.
    @Test func aScanForEachElementIsFound() {
        let square = GrowthCase("square", from: 4_000) { size in
            let numbers = Array(0..<size)
            return { precondition(numbers.filter { numbers.lastIndex(of: $0 ^ 1) == nil }.count < 2) }
        }
        // Many passes over little: what does not fit in the caches costs more for each element on a busy machine.
        let line = GrowthCase("line", from: 2_000) { size in
            let numbers = Array(0..<size)
            return {
                var sum = 1
                for pass in 0..<1_000 { for number in numbers { sum = (sum ^ number) &+ pass } }
                precondition(sum != 0)
            }
        }
        #expect(Growth(square, by: 4, steps: 1, repeats: 3).exponent > Self.limit)
        #expect(Growth(line, by: 4, steps: 1, repeats: 3).exponent < Self.limit)
    }
}

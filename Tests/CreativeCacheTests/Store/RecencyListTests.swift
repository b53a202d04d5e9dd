import Ports
import Testing

@testable import CreativeCache

@Suite struct RecencyListTests {
    @Test func theLongestUnusedIsFirst() {
        var list = RecencyList<String>()
        let a = list.append("a"), b = list.append("b"), c = list.append("c")
        list.use(a)
        #expect(list.leastRecent == "b")
        list.remove(b)
        list.use(c)
        #expect(list.leastRecent == "a")
        list.remove(a)
        list.remove(c)
        #expect(list.leastRecent == nil)
    }

    /// The list behaves like an array that is searched and reordered.
    @Test(arguments: 1...10) func itIsAnArrayButFaster(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var list = RecencyList<Int>()
        var positions: [Int: RecencyList<Int>.Position] = [:]
        var model: [Int] = []
        for step in 0..<500 {
            let picked = model.randomElement(using: &random)
            switch (Int.random(in: 0...2, using: &random), picked) {
            case (1, let number?):
                positions[number].map { list.use($0) }
                model.removeAll { $0 == number }
                model.append(number)
            case (2, let number?):
                positions[number].map { list.remove($0) }
                model.removeAll { $0 == number }
            default:
                positions[step] = list.append(step)
                model.append(step)
            }
            #expect(list.leastRecent == model.first, "seed \(seed), step \(step)")
        }
    }
}

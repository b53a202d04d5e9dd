import Testing

@Suite struct StateCountsTests {
    private struct Inner {
        var list: [Int] = []
        private var texts: Set<String>

        init(_ count: Int) {
            list = Array(0..<count)
            texts = Set((0..<count).map(String.init))
        }
    }

    private struct Outer {
        private var hidden: [Int: Inner]
        var known: Inner?

        init(_ count: Int) {
            hidden = [1: Inner(count)]
            known = Inner(count)
        }
    }

    /// Collections of private properties, in optional values and in elements count.
    @Test func everyCollectionCounts() {
        var (small, large) = (StateCounts(), StateCounts())
        small.note(Outer(10), named: "outer")
        #expect(small.counts["outer.hidden"] == 1 && small.counts["outer.hidden[].value.list"] == 10)
        #expect(small.counts["outer.known.some.texts"] == 10 && small.growth(since: small) == [])
        large.note(Outer(100), named: "outer")
        #expect(
            large.growth(since: small) == [
                "outer.hidden[].value.list grew from 10 to 100", "outer.hidden[].value.texts grew from 10 to 100",
                "outer.known.some.list grew from 10 to 100", "outer.known.some.texts grew from 10 to 100",
            ])
        #expect(small.growth(since: large) == [])
    }

    private protocol Value {}

    private struct Number: Value {
        var value = 1
    }

    private struct List: Value {
        var values = Array(0..<10)
    }

    private struct Loose {
        var number: Int? = 1
        var value: any Value
        var list: [Int]?
    }

    /// What holds no collection the first time may hold one later: a property of a protocol's type, and one that was nil.
    @Test func laterCollectionsCount() {
        var counts = StateCounts()
        counts.note(Loose(value: Number()), named: "loose")
        #expect(counts.counts == [:])
        counts.note(Loose(number: nil, value: List(), list: [1]), named: "loose")
        #expect(counts.counts == ["loose.value.values": 10, "loose.list.some": 1])
    }
}

/// Places of insertions in their book. Mostly it is one, which costs no memory of its own.
struct InsertionGroup: RandomAccessCollection, Sendable {
    private let first: Int32
    private let others: [Int32]

    /// A group without an insertion.
    init() { (first, others) = (Insertion.none, []) }

    init(first: Int32, others: [Int32]) { (self.first, self.others) = (first, others) }

    var startIndex: Int { 0 }
    var endIndex: Int { first == Insertion.none ? 0 : 1 + others.count }

    subscript(place: Int) -> Int32 { place == 0 ? first : others[place - 1] }
}

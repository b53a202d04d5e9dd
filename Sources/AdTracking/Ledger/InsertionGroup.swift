/// Places of insertions in their book. Mostly it is one, which costs no memory of its own.
struct InsertionGroup: RandomAccessCollection, Sendable {
    private var first = Insertion.none
    private var others: [Int32] = []

    var startIndex: Int { 0 }
    var endIndex: Int { first == Insertion.none ? 0 : 1 + others.count }

    subscript(place: Int) -> Int32 { place == 0 ? first : others[place - 1] }

    /// - Returns: whether it is the only one.
    mutating func append(_ index: Int32) -> Bool {
        guard first != Insertion.none else {
            first = index
            return true
        }
        others.append(index)
        return false
    }

    mutating func removeAll(where isLeaving: (Int32) -> Bool) {
        others.removeAll(where: isLeaving)
        guard first != Insertion.none, isLeaving(first) else { return }
        first = others.isEmpty ? Insertion.none : others.removeFirst()
    }
}

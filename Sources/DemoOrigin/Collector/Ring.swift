/// The newest elements, oldest first; when it is full the oldest makes room.
struct Ring<Element: Sendable>: Sendable {
    /// Elements kept, at least one.
    let capacity: Int
    /// Elements that made room for newer ones.
    private(set) var dropped = 0
    private var kept: [Element] = []
    /// Index of the oldest element once the ring is full.
    private var oldest = 0

    /// An empty ring.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// What is kept, oldest first.
    var elements: [Element] { Array(kept[oldest...] + kept[..<oldest]) }

    /// Adds an element; returns the one that made room.
    @discardableResult
    mutating func append(_ element: Element) -> Element? {
        guard kept.count == capacity else {
            kept.append(element)
            return nil
        }
        let gone = kept[oldest]
        kept[oldest] = element
        oldest = (oldest + 1) % capacity
        dropped += 1
        return gone
    }
}

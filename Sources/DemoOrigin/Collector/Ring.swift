/// A buffer of the newest elements, oldest first; when it is full, the oldest is dropped.
struct Ring<Element: Sendable>: Sendable {
    /// Most elements kept, at least one.
    let capacity: Int
    /// Number of elements dropped for newer ones.
    private(set) var dropped = 0
    private var kept: [Element] = []
    /// Index of the oldest element once the ring is full.
    private var oldest = 0

    /// An empty ring.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// Elements kept now.
    var count: Int { kept.count }
    /// The elements, oldest first.
    var elements: [Element] { Array(kept[oldest...] + kept[..<oldest]) }

    /// Adds an element; returns the dropped one, if any.
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

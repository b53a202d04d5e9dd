import DequeModule

/// A buffer of the newest elements, oldest first; when it is full, the oldest is dropped.
struct Ring<Element: Sendable>: Sendable {
    /// Most elements kept, at least one.
    let capacity: Int
    /// Number of elements dropped for newer ones.
    private(set) var dropped = 0
    private var kept: Deque<Element> = []

    /// An empty ring.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// Elements kept now.
    var count: Int { kept.count }
    /// The elements, oldest first. An empty deque is not copied: all of them share one storage, whose access the thread sanitizer
    /// takes for a race.
    var elements: [Element] { kept.isEmpty ? [] : Array(kept) }

    /// Adds an element; returns the dropped one, if any.
    @discardableResult
    mutating func append(_ element: Element) -> Element? {
        let gone = kept.count < capacity ? nil : kept.popFirst()
        if gone != nil { dropped += 1 }
        kept.append(element)
        return gone
    }
}

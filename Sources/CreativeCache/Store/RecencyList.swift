/// Elements in the order of their last use, least recent first: a doubly linked list in an array, so that use,
/// insertion and removal take constant time.
struct RecencyList<Element: Sendable>: Sendable {
    /// Refers to an element; valid until the element is removed.
    struct Position: Hashable {
        fileprivate var index: Int
    }

    private struct Node {
        var element: Element?
        var previous: Int?
        var next: Int?
    }

    private var nodes: [Node] = []
    private var free: [Int] = []
    private var first: Int?
    private var last: Int?

    /// The least recently used element.
    var leastRecent: Element? { first.flatMap { nodes[$0].element } }

    /// Adds an element as the most recently used one.
    mutating func append(_ element: Element) -> Position {
        let index = free.popLast() ?? nodes.count
        let node = Node(element: element, previous: nil, next: nil)
        if index == nodes.count { nodes.append(node) } else { nodes[index] = node }
        link(index)
        return Position(index: index)
    }

    /// Marks an element as the most recently used one.
    mutating func use(_ position: Position) {
        guard position.index != last else { return }
        unlink(position.index)
        link(position.index)
    }

    mutating func remove(_ position: Position) {
        unlink(position.index)
        nodes[position.index].element = nil
        free.append(position.index)
    }

    private mutating func link(_ index: Int) {
        nodes[index].previous = last
        nodes[index].next = nil
        if let last { nodes[last].next = index } else { first = index }
        last = index
    }

    private mutating func unlink(_ index: Int) {
        let (previous, next) = (nodes[index].previous, nodes[index].next)
        if let previous { nodes[previous].next = next } else { first = next }
        if let next { nodes[next].previous = previous } else { last = previous }
    }
}

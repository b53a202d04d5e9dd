/// Where elements are in their document, in words: `VAST/Ad[2]/InLine/Error[1]`.
///
/// The children of an element are counted once, however many of them are asked for.
package struct ElementPaths {
    private let tree: XMLTree
    /// The step of each child of an element that was asked for: its name, numbered among siblings of the same name.
    private var steps: [XMLTree.Index: [XMLTree.Index: String]] = [:]

    package init(_ tree: XMLTree) {
        self.tree = tree
    }

    /// Names from the root down.
    package mutating func path(of node: XMLTree.Index) -> String {
        var path: [String] = []
        var current = node
        while let parent = tree.parent(current) {
            path.append(step(to: current, from: parent))
            current = parent
        }
        path.append(tree.name(current))
        return path.reversed().joined(separator: "/")
    }

    private mutating func step(to node: XMLTree.Index, from parent: XMLTree.Index) -> String {
        let all = steps[parent] ?? steps(from: parent)
        steps[parent] = all
        return all[node] ?? tree.name(node)
    }

    private func steps(from parent: XMLTree.Index) -> [XMLTree.Index: String] {
        var steps: [XMLTree.Index: String] = [:]
        for (name, twins) in Dictionary(grouping: tree.children(parent), by: tree.name) {
            for (place, node) in twins.enumerated() { steps[node] = twins.count > 1 ? "\(name)[\(place + 1)]" : name }
        }
        return steps
    }
}

import VAST

extension XMLTree {
    /// The first element with that local name in the extensions of an element.
    func extensionElement(_ name: String, in node: Index) -> Index? {
        for list in children(node) where self.name(list) == "Extensions" {
            if let found = firstBelow(list, name, depth: 3) { return found }
        }
        return nil
    }

    private func firstBelow(_ node: Index, _ name: String, depth: Int) -> Index? {
        guard depth > 0 else { return nil }
        for child in children(node) {
            if self.name(child) == name { return child }
            if let found = firstBelow(child, name, depth: depth - 1) { return found }
        }
        return nil
    }
}

extension Array {
    /// Sorted; equal elements keep their order. An array that is already in order, the usual case, costs one pass.
    func sortedStably(by precedes: (Element, Element) -> Bool) -> [Element] {
        guard !zip(self, dropFirst()).allSatisfy({ !precedes($1, $0) }) else { return self }
        return enumerated().sorted { left, right in
            precedes(left.element, right.element)
                || (!precedes(right.element, left.element) && left.offset < right.offset)
        }.map(\.element)
    }
}

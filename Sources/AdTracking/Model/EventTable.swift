/// A value for each event, in rows without gaps. A dictionary would hold room for half as many again, each as large as a value,
/// and a session has thousands of events.
///
/// The order of the rows depends on nothing but the calls: that of insertion, until a row is removed and the last one takes its place.
struct EventTable<Value: Sendable>: Sequence, Sendable {
    private var places: [EventID: Int32] = [:]
    private(set) var keys: [EventID] = []
    private(set) var values: [Value] = []

    var count: Int { keys.count }

    func makeIterator() -> some IteratorProtocol<(key: EventID, value: Value)> {
        zip(keys, values).lazy.map { (key: $0, value: $1) }.makeIterator()
    }

    func contains(_ event: EventID) -> Bool { places[event] != nil }

    subscript(event: EventID) -> Value? {
        get { places[event].map { values[Int($0)] } }
        set {
            guard let newValue else {
                _ = removeValue(forKey: event)
                return
            }
            if change(event, { $0 = newValue }) == nil { _ = updateValue(newValue, forKey: event) }
        }
    }

    /// One look-up less than the subscript where the event has no value.
    /// - Returns: the former value; nil where the event had none.
    mutating func updateValue(_ value: Value, forKey event: EventID) -> Value? {
        guard let place = places.updateValue(Int32(clamping: count), forKey: event) else {
            keys.append(event)
            values.append(value)
            return nil
        }
        places[event] = place
        let former = values[Int(place)]
        values[Int(place)] = value
        return former
    }

    /// Changes a value where it is, without a copy of it.
    /// - Returns: nil where the event has no value.
    mutating func change<Result>(_ event: EventID, _ body: (inout Value) -> Result) -> Result? {
        places[event].map { body(&values[Int($0)]) }
    }

    mutating func removeValue(forKey event: EventID) -> Value? {
        guard let place = places.removeValue(forKey: event).map(Int.init) else { return nil }
        let last = keys.count - 1
        if place < last {
            keys.swapAt(place, last)
            values.swapAt(place, last)
            places[keys[place]] = Int32(place)
        }
        keys.removeLast()
        return values.removeLast()
    }

    /// Makes room for more events; by a quarter at least, so that documents that add a few each do not copy all rows each time.
    mutating func reserve(_ more: Int) {
        let needed = count + more
        guard needed > values.capacity else { return }
        let room = Swift.max(needed, values.capacity + values.capacity / 4)
        keys.reserveCapacity(room)
        values.reserveCapacity(room)
        places.reserveCapacity(room)
    }
}

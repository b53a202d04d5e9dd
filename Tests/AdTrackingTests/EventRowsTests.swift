import Ports
import Testing

@testable import AdTracking

@Suite struct EventRowsTests {
    private struct Number: PackedRow, Equatable {
        var value: Int

        /// Rows of one ten belong together; those that end with 7 stay as they are.
        var common: Int? { value % 10 == 7 ? nil : value / 10 }
        func shares(_ common: Int) -> Bool { value / 10 == common }
        func write(to writer: inout PackedWriter, _ common: Int) { writer.write(value - 10 * common) }

        init(_ value: Int) { self.value = value }
        init(_ reader: inout PackedReader, of _: EventID, _ common: Int) { value = 10 * common + reader.int() }
    }

    /// Whatever is done and packed, it holds what a dictionary holds.
    @Test(arguments: Array(UInt64(1)...30))
    func theyAreADictionary(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var rows = EventRows<Number>()
        var dictionary: [EventID: Number] = [:]
        for _ in 0..<500 {
            let event = EventID(Int.random(in: 0..<60, using: &random))
            let value = Number(Int.random(in: 0..<30, using: &random))
            switch Int.random(in: 0..<7, using: &random) {
            case 0: #expect(rows.removeValue(forKey: event) == dictionary.removeValue(forKey: event), "seed \(seed)")
            case 1:
                rows[event] = nil
                dictionary[event] = nil
            case 2:
                let isKnown = rows.change(event) { $0 = value } != nil
                #expect(isKnown == (dictionary[event] != nil), "seed \(seed)")
                if isKnown { dictionary[event] = value }
            case 3: rows.pack((0..<8).map { EventID(event.number + $0) })
            case 4:
                #expect(
                    rows.updateValue(value, forKey: event) == dictionary.updateValue(value, forKey: event),
                    "seed \(seed)")
            default:
                rows[event] = value
                dictionary[event] = value
            }
            #expect(rows[event] == dictionary[event], "seed \(seed)")
            #expect(rows.contains(event) == (dictionary[event] != nil), "seed \(seed)")
        }
        #expect(rows.count == dictionary.count, "seed \(seed)")
        #expect(Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.value) }) == dictionary, "seed \(seed)")
    }

    /// More rows of one ad than are packed together.
    @Test func manyRowsArePackedInParts() {
        var rows = EventRows<Number>()
        for number in 0..<100 { rows[EventID(number)] = Number(number % 5) }
        rows.pack((0..<100).map(EventID.init))
        #expect(rows.open.count == 0 && rows.count == 100)
        #expect(rows.map(\.value.value) == (0..<100).map { $0 % 5 })
        rows[EventID(99)] = nil
        #expect(rows.open.count == 3, "those of the last part")
    }

    @Test func whatIsPackedIsNotOpen() {
        var rows = EventRows<Number>()
        for number in 0..<20 { rows[EventID(number)] = Number(number) }
        rows.pack((0..<10).map(EventID.init))
        #expect(rows.open.keys.map(\.number).sorted() == [7] + Array(10..<20))
        #expect(rows[EventID(3)] == Number(3))
        #expect(rows.open.count == 11, "reading opens nothing")
        // Those behind the one that cannot be packed are apart.
        _ = rows.change(EventID(9)) { $0 = Number(99) }
        #expect(rows.open.keys.map(\.number).sorted() == Array(7..<20))
        #expect(rows.map(\.key.number).prefix(7) == [0, 1, 2, 3, 4, 5, 6])
    }
}

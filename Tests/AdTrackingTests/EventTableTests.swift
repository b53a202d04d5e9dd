import Ports
import Testing

@testable import AdTracking

@Suite struct EventTableTests {
    /// Whatever is done, it holds what a dictionary holds.
    @Test(arguments: Array(UInt64(1)...20))
    func itIsADictionary(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var table = EventTable<Int>()
        var dictionary: [EventID: Int] = [:]
        for step in 0..<500 {
            let event = EventID(Int.random(in: 0..<60, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                #expect(table.removeValue(forKey: event) == dictionary.removeValue(forKey: event), "seed \(seed)")
            case 1:
                table[event] = nil
                dictionary[event] = nil
            case 2:
                let changed: Bool? = table.change(event) { value in
                    value += 1
                    return true
                }
                #expect((changed == nil) == (dictionary[event] == nil), "seed \(seed)")
                if let value = dictionary[event] { dictionary[event] = value + 1 }
            case 3: table.reserve(step % 7)
            case 4:
                let former = table.updateValue(step, forKey: event)
                #expect(former == dictionary.updateValue(step, forKey: event), "seed \(seed)")
            default:
                table[event] = step
                dictionary[event] = step
            }
            #expect(table[event] == dictionary[event], "seed \(seed)")
        }
        #expect(table.count == dictionary.count, "seed \(seed)")
        #expect(Dictionary(uniqueKeysWithValues: table.map { ($0.key, $0.value) }) == dictionary, "seed \(seed)")
        #expect(table.values.sorted() == dictionary.values.sorted(), "seed \(seed)")
    }

    /// A document that adds a few events does not copy all rows.
    @Test func roomGrowsByAQuarter() {
        var table = EventTable<Int>()
        var moves = 0
        for number in 0..<10_000 {
            let room = table.values.capacity
            table.reserve(1)
            if table.values.capacity != room { moves += 1 }
            table[EventID(number)] = number
        }
        #expect(moves < 50)
    }
}

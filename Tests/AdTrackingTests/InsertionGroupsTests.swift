import Ports
import Testing

@testable import AdTracking

@Suite struct InsertionGroupsTests {
    /// Whatever is added and removed, they hold what a dictionary of groups holds.
    @Test(arguments: Array(UInt64(1)...20))
    func theyAreADictionary(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var groups = InsertionGroups()
        var dictionary: [Fingerprint: [Int32]] = [:]
        var keys: [Fingerprint] = []
        var free: [Int32] = []
        let known = (0..<Int.random(in: 1...60, using: &random)).map {
            Fingerprint(type: "start", url: "https://t.example/\($0)", without: CacheBusters())
        }
        for _ in 0..<1_000 {
            guard let key = known.randomElement(using: &random) else { return }
            if Int.random(in: 0..<3, using: &random) > 0 {
                let index = free.popLast() ?? Int32(keys.count)
                if keys.indices.contains(Int(index)) { keys[Int(index)] = key } else { keys.append(key) }
                #expect(groups.append(index, key, keys) == (dictionary[key] == nil), "seed \(seed)")
                dictionary[key, default: []].append(index)
            } else {
                let divisor = Int32.random(in: 1...3, using: &random)
                groups.removeAll(of: key, keys) { $0 % divisor == 0 }
                free += (dictionary[key] ?? []).filter { $0 % divisor == 0 }
                dictionary[key]?.removeAll { $0 % divisor == 0 }
                if dictionary[key]?.isEmpty == true { dictionary[key] = nil }
            }
            #expect(Array(groups.group(key, keys)) == dictionary[key] ?? [], "seed \(seed)")
        }
        for key in known { #expect(Array(groups.group(key, keys)) == dictionary[key] ?? [], "seed \(seed)") }
    }
}

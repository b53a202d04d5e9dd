import Ports
import Testing

@testable import HLS

/// Random and damaged messages give a value, or an error with an offset inside the message; they never trap.
struct SpliceFuzzTests {
    private static let seeds: [[UInt8]] = [
        "/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg==",
        "/DAvAAAAAAAA///wFAVIAACPf+/+c2nALv4AUsz1AAAAAAAKAAhDVUVJAAABNWLbowo=",
        "/DBrAAAAAAAAAP/wBQb/AAAAAABVAlNDVUVJAAAAAn+/"
            + "DUQKDBR3i+Xj9gAAAAAAAAoMFHeL5eP2AAAAAAAACSZTSUdOQUw6THk5"
            + "RU1HeEtSMGhGWlV0cE1IZENVVlpuUlVGblp6MTcBA6QTOe8=",
        "/DA0AABS2+YAAACgFAUALJGCf+/+MSwPcX4AUmXAAAAAAAAMAQpDVUVJRp8xMjEq3pnIPCi6lw==",
        "/DBtAAAAAAAA///wBQb+ADmtoABXAiRDVUVJAAABkH//"
            + "ABNP2QAQEMsDUKlId0ynu2OHMLN6mM8QAQECHUNVRUkAAAGRf78R"
            + "DnR5cGU9UEkmdGllcj0xQAAAAxBDVUVJAABlU/EAHc1lAAAlBIstfg==",
    ].compactMap { SpliceTransport.bytes(of: $0) }

    @Test func damagedMessagesNeverTrap() {
        let seed: UInt64 = 35
        var random = SplitMix64(seed: seed)
        for round in 0..<50_000 {
            var bytes = Self.seeds[round % Self.seeds.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                guard !bytes.isEmpty else { break }
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(index...)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
                }
            }
            do throws(SpliceInfoProblem) {
                let info = try SpliceInfo(bytes)
                #expect(info.json["tier"] != nil && info.breakSignals.count <= max(1, info.descriptors?.count ?? 0))
            } catch {
                #expect((0...max(bytes.count, 1)).contains(error.offset), "seed \(seed), round \(round)")
            }
        }
    }
}

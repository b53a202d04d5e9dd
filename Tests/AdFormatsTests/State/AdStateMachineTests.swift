import AdFormats
import Foundation
import Ports
import TestSupport
import Testing

/// The transition table (FMT-8): the vectors, and properties of all sequences of inputs.
@Suite struct AdStateMachineTests {
    private struct VectorCase: CustomTestStringConvertible, Sendable {
        var id: String
        var value: JSONValue
        var testDescription: String { id }
    }

    private static func cases() throws -> [VectorCase] {
        guard let bytes = ConformanceFolder.files(in: "bidding")["ad-states.json"] else { return [] }
        return try JSONReader.read(bytes)["cases"]?.arrayValue?.map {
            VectorCase(id: $0["id"]?.stringValue ?? "", value: $0)
        } ?? []
    }

    @Test(.enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)))
    func sharedVectors() throws {
        let cases = try Self.cases()
        #expect(cases.count >= 15)
        for vector in cases { try check(vector) }
    }

    private func check(_ vector: VectorCase) throws {
        let expected = try #require(vector.value["expect"])
        let format = try #require(vector.value["format"]?.stringValue.flatMap(AdFormat.init))
        let reward = vector.value["reward"]?["name"]?.stringValue.map {
            Reward(name: $0, amount: Int(vector.value["reward"]?["amount"]?.integerValue ?? 0))
        }
        var machine = AdStateMachine(format: format, reward: reward)
        var states: [String] = []
        var callbacks: [String] = []
        var rejected: [Int64] = []
        for (index, entry) in (vector.value["inputs"]?.arrayValue ?? []).enumerated() {
            let step = machine.apply(try #require(Self.input(entry)))
            if step.rejection != nil { rejected.append(Int64(index)) }
            callbacks += step.callbacks.map(\.text)
            for case .stateChanged(let state) in step.callbacks { states.append(state.rawValue) }
        }
        #expect(states == expected["states"]?.arrayValue?.compactMap(\.stringValue), "\(vector.id)")
        #expect(callbacks == expected["callbacks"]?.arrayValue?.compactMap(\.stringValue), "\(vector.id)")
        #expect(rejected == expected["rejected"]?.arrayValue?.compactMap(\.integerValue), "\(vector.id)")
        #expect(machine.state.rawValue == expected["final"]?.stringValue, "\(vector.id)")
    }

    private static func input(_ entry: JSONValue) -> AdStateMachine.Input? {
        let argument = entry.arrayValue?.dropFirst().first
        switch entry.arrayValue?.first?.stringValue {
        case "load": return .load
        case "providerSuccess": return .providerSuccess
        case "providerFailure": return argument?.stringValue.flatMap(AdError.Case.init).map { .providerFailure($0) }
        case "show": return .show
        case "visibility": return argument?.doubleValue.map { .visibility($0) }
        case "click": return .click
        case "dismiss": return .dismiss
        case "refreshDue": return .refreshDue
        case "showFailure": return .showFailure
        case "rewardEarned": return .rewardEarned
        default: return nil
        }
    }

    @Test func aRejectionSaysWhatAndWhere() {
        var machine = AdStateMachine(format: .interstitial)
        #expect(machine.apply(.show).rejection == "rejected show in uninitialized")
        #expect(machine.state == .uninitialized)
    }

    @Test func aClickBeforeTheImpressionIsRemarked() {
        var machine = AdStateMachine(format: .banner)
        _ = machine.apply(.load)
        _ = machine.apply(.providerSuccess)
        #expect(machine.apply(.click).remark == "click-before-impression")
        #expect(machine.apply(.click).remark == nil)
    }

    @Test(arguments: AdFormat.allCases)
    func anySequenceKeepsTheTable(format: AdFormat) {
        var seeds = SplitMix64(seed: 0xAD)
        for _ in 0..<200 {
            let seed = seeds.next()
            var random = SplitMix64(seed: seed)
            var machine = AdStateMachine(format: format, reward: Reward(name: "Lives", amount: 1))
            var rewardsOfLoad = 0
            for _ in 0..<60 {
                let input = Self.randomInput(&random)
                let before = machine
                let step = machine.apply(input)
                if step.rejection != nil { #expect(machine == before, "seed \(seed)") }
                if case .stateChanged(.loading)? = step.callbacks.first { rewardsOfLoad = 0 }
                for case .adRewarded in step.callbacks { rewardsOfLoad += 1 }
                #expect(rewardsOfLoad <= (format == .rewarded ? 1 : 0), "seed \(seed)")
                if before.state != .impressed, machine.state == .impressed {
                    #expect(Self.mayImpress(input, format), "seed \(seed): \(input)")
                }
            }
        }
    }

    private static func mayImpress(_ input: AdStateMachine.Input, _ format: AdFormat) -> Bool {
        switch input {
        case .visibility(let share): !format.isFullScreen && share >= 0.5
        case .show: format.isFullScreen
        default: false
        }
    }

    private static func randomInput(_ random: inout SplitMix64) -> AdStateMachine.Input {
        switch random.next() % 10 {
        case 0: .load
        case 1: .providerSuccess
        case 2: .providerFailure(.noFill)
        case 3: .show
        case 4, 5: .visibility(Double(random.next() % 101) / 100)
        case 6: .click
        case 7: .dismiss
        case 8: .refreshDue
        default: random.next() % 2 == 0 ? .showFailure : .rewardEarned
        }
    }
}

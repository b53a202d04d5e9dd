import AdFormats
import Testing

/// Every cell of the table of states (FMT-8) for every format, written from the rule and not from the code.
@Suite struct TransitionTableTests {
    /// `-` means rejected, `=` accepted without a change. The letter after a state limits it: `b` banners, `f`
    /// full-screen ads, `i` banners and native ads, `v` visible banners; all other formats reject the input.
    private static let table: [(state: AdState, cells: String)] = [
        (.uninitialized, "loading - - - - - - - -"),
        (.loading, "- loaded failed - - - - - -"),
        (.loaded, "loading/b - - impressed/f impressed/i clicked/i closed/i loading/v failed/f"),
        (.impressed, "loading/b - - - = clicked closed loading/v -"),
        (.clicked, "loading/b - - - = clicked closed loading/v -"),
        (.failed, "loading - - - - - - - -"),
        (.closed, "loading - - - - - - - -"),
    ]
    private static let inputs: [AdStateMachine.Input] = [
        .load, .providerSuccess, .providerFailure(.noFill), .show, .visibility(0.5), .click, .dismiss, .refreshDue,
        .showFailure,
    ]

    /// A machine in that state; banners and native ads were slightly visible before.
    private func machine(_ format: AdFormat, in state: AdState, seen share: Double) throws -> AdStateMachine {
        let appear: AdStateMachine.Input = format.isFullScreen ? .show : .visibility(1)
        let ways: [AdState: [AdStateMachine.Input]] = [
            .uninitialized: [], .loading: [.load], .loaded: [.load, .providerSuccess],
            .impressed: [.load, .providerSuccess, appear], .clicked: [.load, .providerSuccess, appear, .click],
            .failed: [.load, .providerFailure(.noFill)], .closed: [.load, .providerSuccess, appear, .dismiss],
        ]
        var machine = AdStateMachine(format: format, reward: Reward(name: "Lives", amount: 1))
        for input in try #require(ways[state]) { _ = machine.apply(input) }
        _ = machine.apply(.visibility(share))
        #expect(machine.state == state)
        return machine
    }

    private func holds(_ mark: Substring?, _ format: AdFormat, isSeen: Bool) -> Bool {
        switch mark {
        case "b": format == .banner
        case "f": format.isFullScreen
        case "i": !format.isFullScreen
        case "v": format == .banner && isSeen
        default: true
        }
    }

    @Test(arguments: AdFormat.allCases, [0, 0.25]) func everyCell(_ format: AdFormat, _ share: Double) throws {
        for (state, cells) in Self.table {
            for (input, cell) in zip(Self.inputs, cells.split(separator: " ")) {
                let parts = cell.split(separator: "/")
                var machine = try machine(format, in: state, seen: share)
                let before = machine
                let step = machine.apply(input)
                let place = "\(format) \(state) \(input.name) at \(share)"
                if parts[0] == "-" || !holds(parts.dropFirst().first, format, isSeen: share > 0) {
                    #expect(step.rejection == "rejected \(input.name) in \(state.rawValue)", "\(place)")
                    #expect(step.callbacks.isEmpty && machine == before, "\(place)")
                } else if parts[0] == "=" {
                    #expect(step.rejection == nil && step.callbacks.isEmpty && machine.state == state, "\(place)")
                } else {
                    let next = try #require(AdState(rawValue: String(parts[0])))
                    #expect(step.rejection == nil && machine.state == next, "\(place)")
                    #expect(step.callbacks.contains(.stateChanged(next)), "\(place)")
                }
            }
        }
    }

    /// A reward is earned in `impressed` or `clicked`, once per load, and only by rewarded ads.
    @Test(arguments: AdFormat.allCases, AdState.allCases) func rewards(_ format: AdFormat, _ state: AdState) throws {
        var machine = try machine(format, in: state, seen: 0)
        let isGranted = machine.apply(.rewardEarned).callbacks == [.adRewarded(Reward(name: "Lives", amount: 1))]
        #expect(isGranted == (format == .rewarded && [.impressed, .clicked].contains(state)))
        #expect(machine.apply(.rewardEarned).rejection != nil)
    }
}

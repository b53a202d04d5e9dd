import AdFormats
import Ports
import VAST

/// Ad formats: state machine, native markup, rewards (FMT-8, FMT-20, FMT-22).
enum FormatVectors {
    /// Inputs of an ad with the resulting states, calls and rejections.
    static let adState = VectorKind(schema: "adtop/ad-state/1", casesIn: "cases") { node throws(VectorProblem) in
        let format = try choice(try node.member("format"), of: AdFormat.self)
        var machine = AdStateMachine(format: format)
        if let reward = node.optional("reward") {
            machine.reward = Reward(
                name: try reward.member("name").text(), amount: try reward.member("amount").count())
        }
        var states: [JSONValue] = []
        var calls: [JSONValue] = []
        var rejected: [JSONValue] = []
        for (index, entry) in try node.member("inputs").list().enumerated() {
            let step = machine.apply(try input(entry))
            if step.rejection != nil { rejected.append(.optional(index)) }
            calls += step.callbacks.map { .string($0.text) }
            for case .stateChanged(let state) in step.callbacks { states.append(.string(state.rawValue)) }
        }
        return try subset(
            of: node, members: ["states", "callbacks", "rejected", "final"],
            [
                "states": .array(states), "callbacks": .array(calls), "rejected": .array(rejected),
                "final": .string(machine.state.rawValue),
            ])
    }

    private static func input(_ entry: VectorNode) throws(VectorProblem) -> AdStateMachine.Input {
        let parts = try entry.list()
        guard let name = parts.first else { throw VectorProblem(path: entry.path, message: "expected an input") }
        switch (try name.text(), parts.count) {
        case ("load", 1): return .load
        case ("providerSuccess", 1): return .providerSuccess
        case ("providerFailure", 2): return .providerFailure(try choice(parts[1], of: AdError.Case.self))
        case ("show", 1): return .show
        case ("visibility", 2): return .visibility(try parts[1].number())
        case ("click", 1): return .click
        case ("dismiss", 1): return .dismiss
        case ("refreshDue", 1): return .refreshDue
        case ("showFailure", 1): return .showFailure
        case ("rewardEarned", 1): return .rewardEarned
        case let other:
            throw VectorProblem(path: entry.path, message: "unknown input '\(other.0)', or a wrong number of members")
        }
    }

    /// Native markup with its six fields, trackers and warnings.
    static let nativeCase = VectorKind(schema: "adtop/native-case/1", casesIn: "cases") { node throws(VectorProblem) in
        let markup = NativeMarkup(try node.member("response").value, request: node.optional("request")?.value)
        var actual: JSONObject = JSONObject()
        actual.append("warnings", .array(markup.warnings.map(JSONValue.string)))
        do throws(AdError) {
            var ad = try NativeAd(markup)
            describe(&ad, in: &actual)
        } catch {
            actual.append("error", .string(error.reason.rawValue))
        }
        let members: Set = [
            "fields", "onImpression", "onViewable50", "onClick", "clickURL", "unsupportedTrackers", "warnings",
            "error",
        ]
        return try subset(of: node, members: members, .object(actual))
    }

    private static func describe(_ ad: inout NativeAd, in object: inout JSONObject) {
        func due(_ outcome: NativeAd.Outcome) -> JSONValue {
            if case .due(let urls) = outcome { .array(urls.map(JSONValue.string)) } else { .null }
        }
        var fields = JSONObject()
        let values = [
            ("title", ad.title), ("description", ad.description), ("rating", ad.rating), ("iconURL", ad.iconURL),
            ("imageURL", ad.imageURL), ("buttonText", ad.buttonText),
        ]
        for case (let name, let text?) in values { fields.append(name, .string(text)) }
        object.append("fields", .object(fields))
        object.append("onImpression", due(ad.trackImpression()))
        object.append("onViewable50", due(ad.trackViewable50()))
        let click = ad.openClick()
        object.append("onClick", .array(click.trackers.map(JSONValue.string)))
        object.append("clickURL", .string(click.url))
        object.append("unsupportedTrackers", .array(ad.unsupportedTrackers.map(JSONValue.string)))
    }

    /// The content of an InLine element with its reward settings or end card.
    static let rewardedCase = VectorKind(schema: "adtop/rewarded-case/1", casesIn: "cases") {
        node throws(VectorProblem) in
        let xml = try node.member("xml")
        let text = "<VAST version=\"3.0\"><Ad><InLine>\(try xml.text())</InLine></Ad></VAST>"
        guard let ad = VASTReader.read(Array(text.utf8)).vast?.ads.first else {
            throw VectorProblem(path: xml.path, message: "expected the content of an InLine element")
        }
        let screen = DeviceProfile.tablet.screen
        let companions = ad.creatives.compactMap(\.companionAds).flatMap(\.companions)
        let card = EndCard(from: companions, screenWidth: screen.width, screenHeight: screen.height)
        return try subset(
            of: node, members: ["rewarded", "endCard"],
            [
                "rewarded": RewardedVideo(in: ad.extensions).map(json) ?? .null, "endCard": card.map(json) ?? .null,
            ])
    }

    private static func json(_ reward: RewardedVideo) -> JSONValue {
        [
            "on": .bool(reward.isOn), "currency": .optional(reward.currency), "amount": .optional(reward.amount),
            "amountText": .optional(reward.amountText), "imageURL": .optional(reward.imageURL),
            "preRollMessage": .bool(reward.showsPreRollMessage), "postRollMessage": .bool(reward.showsPostRollMessage),
            "warnings": .array(reward.warnings.map { .string($0.rawValue) }),
        ]
    }

    private static func json(_ card: EndCard) -> JSONValue {
        var type: String?
        if case .image(_, let name) = card.content { type = name }
        return [
            "kind": .string(card.kindName), "value": .string(card.value), "creativeType": .optional(type),
            "clickThrough": .optional(card.companion.clickThrough?.url), "width": .optional(card.companion.width),
            "height": .optional(card.companion.height),
        ]
    }

    private static func choice<Choice: RawRepresentable<String>>(
        _ node: VectorNode, of type: Choice.Type
    ) throws(VectorProblem) -> Choice {
        let text = try node.text()
        guard let choice = Choice(rawValue: text) else {
            throw VectorProblem(path: node.path, message: "unknown value '\(text)'")
        }
        return choice
    }

    /// Compares the members of `expect` and of the objects in it; `expect` may omit members.
    private static func subset(
        of node: VectorNode, members: Set<String>, _ actual: JSONValue
    ) throws(VectorProblem) -> [Difference] {
        let expect = try node.member("expect")
        try expect.require(members: members)
        var differences: [Difference] = []
        for (name, expected) in try expect.members() {
            guard name != "endCard" || expected.value == .null else {
                for (part, value) in try expected.members() {
                    differences += Difference.check(
                        value.path, expected: value.value, actual: actual[name]?[part])
                }
                continue
            }
            differences += Difference.check(expected.path, expected: expected.value, actual: actual[name])
        }
        return differences
    }
}

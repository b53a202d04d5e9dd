import AdFormats
import Ports
import VAST

/// A slot with a clock that tests advance; it collects the slot's effects.
struct SlotBench {
    var slot: AdSlot
    var now = Moment(wall: UnixTime(milliseconds: 1_700_000_000_000), uptime: .seconds(100))
    /// The effects of all inputs so far.
    var effects: [SlotEffect] = []

    init(
        _ format: AdFormat, unit: String = "zone-1", presenter: any AdPresenter, sizeName: String? = nil,
        settings: AdSlot.Settings = AdSlot.Settings()
    ) {
        slot = AdSlot(
            name: "slot", provider: "test", presenter: presenter,
            config: AdConfig(unit: unit, format: format, sizeName: sizeName), parameters: Self.parameters,
            settings: settings)
    }

    /// A slot with one configured ad, an object with `html`, `url`, `vast` or `native`.
    init(_ format: AdFormat, surface: JSONValue) throws {
        let plugin = try StaticPlugin(configuration: ["units": ["zone-1": surface]])
        self.init(format, presenter: try plugin.makePresenter(slot: "slot", format: format))
    }

    static let parameters = RequestParameters(version: "1.0")

    @discardableResult
    mutating func apply(_ input: SlotInput) -> [SlotEffect] {
        let new = slot.apply(input, at: now)
        effects += new
        return new
    }

    /// Advances the clock, waking the slot at each time that it requests.
    mutating func wait(_ span: Duration) {
        let end = now.advanced(by: span)
        while let due = slot.nextDue(after: now.uptime), due <= end.uptime {
            now = now.advanced(by: max(.zero, due - now.uptime))
            apply(.woke)
        }
        now = end
        apply(.woke)
    }

    var callbacks: [String] {
        effects.compactMap { if case .notify(let callback) = $0 { callback.text } else { nil } }
    }

    var reports: [SlotReport] {
        effects.compactMap { if case .report(let report) = $0 { report } else { nil } }
    }

    var opened: [String] {
        effects.compactMap { if case .open(let url) = $0 { url } else { nil } }
    }

    var notes: [String] {
        effects.compactMap { if case .note(_, let text) = $0 { text } else { nil } }
    }

    var fetches: [(Int, HTTPRequest)] {
        effects.compactMap { if case .fetch(let number, let request) = $0 { (number, request) } else { nil } }
    }
}

extension HTTPExchange {
    /// A complete answer.
    static func answer(
        _ body: String, type: String?, status: Int = 200, fields: [HTTPField] = []
    ) -> HTTPExchange {
        let all = (type.map { [HTTPField("Content-Type", $0)] } ?? []) + fields
        return HTTPExchange(
            hops: [Hop(url: "https://ads.example/ad", status: status, fields: all)], body: Array(body.utf8))
    }
}

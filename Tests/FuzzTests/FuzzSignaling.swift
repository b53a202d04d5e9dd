import HLS
import Ports

@testable import AdTracking

/// Ad creative signaling in date ranges, and whose a stream is.
extension FuzzTarget {
    /// Playlists of a stitched stream in turn, with a restart before every third. A text that begins with a brace is no playlist but the
    /// envelope that all ranges of the playlist before it carry from then on: a fuzzer would hardly change what base64 covers. The first
    /// byte selects what is withdrawn, what is forgotten, and whether breaks need events. What is kept is bounded, and a beacon of a
    /// moment is claimed once.
    static func followSignals(_ bytes: [UInt8]) {
        guard let choice = bytes.first,
            let range = DataRange(start: streamStart - .seconds(60), end: streamStart + .seconds(3_600))
        else { return }
        var signals = SignaledRanges()
        var course = TrackerCourse()
        var listed: [DateRange] = []
        for (index, text) in texts(Array(bytes.dropFirst())).enumerated() {
            if index % 3 == 2 {
                course.restart()
                signals = SignaledRanges()
            }
            listed = ranges(in: text, after: listed)
            let passed = streamStart + .seconds(6 * index)
            let change = signals.take(
                listed, withdrawingFrom: choice & 1 == 0 ? passed : nil,
                horizon: choice & 2 == 0 ? nil : passed - .seconds(12), needsEvents: choice & 4 != 0)
            check(change)
            course.take(change, plays: range, isAnswered: index % 2 == 0)
        }
    }

    private static func ranges(in text: [UInt8], after listed: [DateRange]) -> [DateRange] {
        guard text.first == UInt8(ascii: "{") else {
            _ = try? Signaling.saved(text)
            return PlaylistParser.parse(text, uri: "https://h.example/0.m3u8").media?.dateRanges ?? []
        }
        let envelope = ExtensionAttribute(name: CreativeSignal.member, value: .string(Base64.encode(text)))
        return listed.map { range in
            var range = range
            range.extensions = [envelope]
            return range
        }
    }

    private static func check(_ change: SignaledRanges.Change) {
        let nodes = change.placed.flatMap(\.ads).reduce(0) { $0 + 1 + $1.events.count }
        require(nodes <= SignaledRanges.nodeLimit, "ads and events are bounded")
        let names = Set(change.placed.compactMap(\.name))
        require(names.count == change.placed.count, "each break has a name of its own")
        require(names.isDisjoint(with: change.withdrawn), "a placed break is not withdrawn")
        let starts = change.placed.map(\.start)
        require(starts == starts.sorted(), "breaks are in order")
        for adBreak in change.placed {
            let starts = adBreak.ads.map(\.start)
            require(starts == starts.sorted(), "ads are in order")
            require(adBreak.duration >= .zero, "a length is not negative")
        }
    }

    /// Requests that may open a session.
    private static let openingRequests = 8

    /// The address of a stream, fields of its answer, an empty line, and what is behind the address. `Location` is the address to which
    /// its server redirects. The address alone and with the text have the same service, unless the text names another; opening ends.
    static func recogniseStream(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: 0x0A, maxSplits: 40, omittingEmptySubsequences: false)
        let head = lines.prefix { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
        let body = Array(bytes.dropFirst(lines.prefix { !$0.isEmpty }.reduce(0) { $0 + $1.count + 1 } + 1))
        guard let address = head.first, let url = try? WebURL(written: address) else { return }
        let fields = head.dropFirst().map { line in
            let field = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return HTTPField(received: String(field[0]), field.count > 1 ? String(field[1]) : "")
        }
        let location = fields.first { $0.name.lowercased() == "location" }.flatMap { try? WebURL($0.value) }
        let final = HTTPExchange.Hop(url: (location ?? url).text, status: 200, fields: fields)
        let answer = HTTPExchange(hops: [final], body: body)
        _ = PlaylistContentType.finding(answer)
        _ = ProviderTable.reader(of: body, except: HarmonicProvider.name)
        for url in [url, location].compactMap(\.self) { recognise(url, answer) }
    }

    private static func recognise(_ url: WebURL, _ answer: HTTPExchange) {
        let byAddress = Recognition(of: url, text: nil)
        let found = Recognition(of: url, text: answer.body)
        require(byAddress.map { !$0.isByText && $0.place != nil } ?? true, "an address has a place")
        require(found?.isByText ?? true || found == byAddress, "a text only adds what it names")
        require(byAddress == nil || found != nil, "a text hides no service")
        for place in [byAddress?.place, found?.place].compactMap(\.self) {
            require(place.tracking.map { $0.origin == url.origin } ?? true, "no other server has the tracking data")
            let isReport = [.segment, .ping].contains(place.role)
            require(!isReport || ProviderTable.isReport(url), "an address that reports is known as one")
        }
        let own = ProviderTable.providers.filter { $0.recognises(url) || $0.name == found?.name }
        require(!own.isEmpty, "each address has a provider")
        for provider in own { open(provider.init(ProviderOptions(mediaURL: url)), answer) }
        for provider in own {
            guard case .problem(let problem) = provider.attached(to: url) else { continue }
            require(!problem.isEmpty, "a problem has a text")
        }
    }

    /// Every request of the opening has the same answer.
    private static func open(_ opened: any AdMetadataProvider, _ answer: HTTPExchange) {
        var provider = opened
        var step = provider.open()
        for _ in 0..<openingRequests {
            guard case .request = step else { break }
            step = provider.openingAnswered(answer)
        }
        switch step {
        case .request: fatalError("opening ends")
        case .opened: break
        case .failed(let failure):
            require(
                !failure.steps.isEmpty && failure.steps.allSatisfy { !$0.name.isEmpty && !$0.problem.isEmpty },
                "a failure has a reason")
        }
        if case .request = provider.openingAnswered(answer) { fatalError("a stray answer causes no request") }
    }
}

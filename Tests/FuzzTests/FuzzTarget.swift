import Ports

@testable import HLS
@testable import VAST

/// One parser of untrusted bytes, as run by a fuzzer and by the replay of its findings. Each target parses the bytes
/// and checks the guarantees that the parser makes for any input; a broken guarantee stops the process, which a fuzzer
/// detects.
///
/// The same files are compiled into the tests and, by scripts/fuzz, into the libFuzzer program.
enum FuzzTarget: String, CaseIterable, Sendable {
    case playlist
    case attributeList = "attribute-list"
    case assetList = "asset-list"
    case scte35
    case xml
    case vast
    case vmap
    case macros
    case json
    case metadata
    case mediaTailor = "mediatailor"
    case polled
    case signaling
    case recognition
    case id3
    case transportStream = "transport-stream"
    case eventMessages = "event-messages"
    case auction
    case loopback
    case plugin
    case markup

    /// Parses `bytes` and checks the guarantees.
    func run(_ bytes: [UInt8]) {
        switch self {
        case .playlist: Self.readPlaylists(bytes)
        case .attributeList: Self.readAttributeList(bytes)
        case .assetList: Self.readAssetList(bytes)
        case .scte35: Self.readSplice(bytes)
        case .xml: Self.readXML(bytes)
        case .vast: Self.readVAST(bytes)
        case .vmap: Self.readVMAP(bytes)
        case .macros: Self.expandMacros(bytes)
        case .json: Self.readJSON(bytes)
        case .metadata: Self.followMetadata(bytes)
        case .mediaTailor: Self.followTrackingData(bytes)
        case .polled: Self.followPolls(bytes)
        case .signaling: Self.followSignals(bytes)
        case .recognition: Self.recogniseStream(bytes)
        case .id3: Self.readTag(bytes)
        case .transportStream: Self.readTransportStream(bytes)
        case .eventMessages: Self.readFragments(bytes)
        case .auction: Self.holdAuctions(bytes)
        case .loopback: Self.answerRequests(bytes)
        case .plugin: Self.hearPlugin(bytes)
        case .markup: Self.readMarkup(bytes)
        }
    }

    /// Stops the process if `promise` is false, in optimised builds, too.
    static func require(_ promise: Bool, _ text: StaticString) {
        if !promise { fatalError("\(text)") }
    }

    /// JSON that adtop writes can be parsed again.
    static func requireReadable(_ value: JSONValue) {
        let text = value.text()
        do throws(JSONProblem) {
            _ = try JSONReader.read(Array(text.utf8))
        } catch {
            // The only valid reason is a depth beyond the parser's limit.
            require(
                text.utf8.filter { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }.count > Limits.jsonDepth, "JSON"
            )
        }
    }
}

extension FuzzTarget {
    /// Successive texts, separated by form feeds: reloads of a playlist, polls of metadata.
    static func texts(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: 0x0C, maxSplits: 8, omittingEmptySubsequences: false).map(Array.init)
    }

    private static let uri = "https://cdn.example.com/live/media.m3u8?token=t"

    private static func readPlaylists(_ bytes: [UInt8]) {
        var follower = PlaylistFollower(prefersLowLatency: bytes.count % 2 == 0)
        for (index, text) in texts(bytes).enumerated() {
            let parsed = PlaylistParser.parse(text, uri: uri, variables: ["known": "x"])
            if case .invalid(let rule) = parsed.kind {
                require(
                    parsed.findings.contains { $0.rule == rule && $0.line != nil },
                    "an invalid playlist has the finding of its rule")
            }
            parsed.media.map(checkSegments)
            requireReadable(parsed.json)
            let moment = Moment(wall: UnixTime(milliseconds: 1_798_761_600_000), uptime: .seconds(6 * index))
            _ = follower.noteParsed(parsed, ReloadExchange(requested: moment))
        }
        let segments = follower.timeline.segments
        require(
            zip(segments, segments.dropFirst()).allSatisfy { $0.start <= $1.start },
            "stream time does not decrease")
        if follower.timeline.window != nil {
            requireReadable(InterstitialSchedule(follower.timeline).json(playlistURI: uri))
        }
    }

    private static func checkSegments(_ playlist: MediaPlaylist) {
        let pairs = zip(playlist.segments, playlist.segments.dropFirst())
        require(
            pairs.allSatisfy { $1.sequence == $0.sequence + 1 && $1.start == $0.end }, "segments are placed end to end")
        require(
            playlist.segments.allSatisfy { ($0.date == nil) == ($0.dateSource == nil) && $0.duration >= .zero },
            "a date has a source, a duration is not negative")
    }

    private static func readAttributeList(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { buffer in
            let list = AttributeList(ByteView(buffer))
            require(
                list.attributes.count <= PlaylistLimits.attributes
                    && list.problems.count <= PlaylistLimits.attributes + 8,
                "a list is bounded")
            for attribute in list.attributes {
                _ = DecimalNumber.seconds(attribute.value)
                _ = DecimalNumber.integer(attribute.value)
                _ = DecimalNumber.floating(attribute.value)
                _ = ISODate(attribute.value)
            }
        }
        for tag in ["DATERANGE", "STREAM-INF", "MEDIA", "KEY", "PART", "SERVER-CONTROL", "DEFINE", "ASSET", "CUE-OUT"] {
            let text = Array("#EXTM3U\n#EXT-X-\(tag):".utf8) + bytes + Array("\n#EXTINF:1,\na\n".utf8)
            requireReadable(PlaylistParser.parse(text, uri: uri).json)
        }
    }

    private static func readAssetList(_ bytes: [UInt8]) {
        do throws(AssetListProblem) {
            let list = try AssetList.read(bytes, uri: uri)
            require(list.assets.count <= AssetList.assetLimit, "a list is bounded")
            require(list.assets.allSatisfy { $0.duration.map { $0 >= .zero } ?? true }, "no length is negative")
            _ = list.findings.map(\.message)
        } catch {
            require(!error.explanation.isEmpty, "an error has an explanation")
        }
    }

    private static func readSplice(_ bytes: [UInt8]) {
        do throws(SpliceInfoProblem) {
            let info = try SpliceInfo(bytes)
            _ = info.breakSignals
            requireReadable(info.json)
        } catch {
            require((0...max(bytes.count, 1)).contains(error.offset), "the offset of an error is inside the message")
        }
        do throws(SpliceInfoProblem) {
            _ = try SpliceTransport.decode(String(decoding: bytes, as: UTF8.self))
        } catch {
            require(!error.explanation.isEmpty, "an error has an explanation")
        }
    }
}

extension FuzzTarget {
    private static func readXML(_ bytes: [UInt8]) {
        let reading = XMLReader.read(bytes)
        require(reading.tree != nil || reading.problem != nil, "a document without a tree has a problem")
        guard let tree = reading.tree else { return }
        require(tree.count <= XMLLimits.elements, "a tree is bounded")
        var paths = ElementPaths(tree)
        for node in 0..<Int32(min(tree.count, 200)) {
            require(tree.position(node).line >= 1 && tree.position(node).column >= 1, "positions count from 1")
            require(tree.children(node).allSatisfy { $0 > node && tree.parent($0) == node }, "links agree")
            _ = (tree.name(node), tree.namespace(node), tree.text(node), tree.rawXML(node), paths.path(of: node))
            for attribute in tree.attributes(of: node) { _ = tree.value(attribute) }
        }
    }

    private static func readVAST(_ bytes: [UInt8]) {
        let reading = VASTReader.read(bytes)
        let findings = reading.findings()
        require(reading.isGood || !findings.isEmpty, "an error has a finding")
        requireReadable(reading.json(findings: findings))
        resolve(bytes)
    }

    /// Every request gets the same answer, so loops, depth and pods must all end.
    private static func resolve(_ bytes: [UInt8]) {
        var resolution = WrapperResolution(tag: "https://t.example.test/", values: MacroValues(), seed: 1)
        var open = resolution.start()
        var count = 0
        while let fetch = open.popLast() {
            count += 1
            require(count <= ResolutionOptions().maximumRequests, "requests are bounded")
            open += resolution.answered(fetch.id, with: .body(bytes, url: fetch.url.text))
        }
        require(resolution.isFinished, "a resolution ends")
        requireReadable(resolution.json)
        for ad in resolution.result.ads.prefix(20) {
            _ = TrackingPlan(ad)
            for linear in ad.linears { _ = MediaSelection(of: linear.linear.mediaFiles, for: .television) }
        }
    }

    private static func readVMAP(_ bytes: [UInt8]) {
        for text in [bytes, Array("<VMAP version=\"1.0\">".utf8) + bytes + Array("</VMAP>".utf8)] {
            let reading = VASTReader.read(text)
            requireReadable(reading.json(findings: reading.findings()))
            guard let document = reading.vmap else { continue }
            for duration in [nil, 60_000, Int64.max] as [Int64?] {
                let schedule = VMAPSchedule(document, duration: duration)
                let limit = document.breaks.count * (VMAPSchedule.maximumRepetitions + 1)
                require(schedule.stops.count <= limit, "repetition is bounded")
            }
        }
    }

    /// The first byte selects the context and the dialect, the rest is the template.
    private static func expandMacros(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let contexts: [MacroExpander.Context] = [
            .request, .impression, .tracking, .click, .error, .verificationNotExecuted, .vmapError,
        ]
        let context = contexts[Int(choice >> 1) % contexts.count]
        let template = String(decoding: bytes.dropFirst(), as: UTF8.self)
        var values = MacroValues()
        values[.errorCode] = .number(Int(choice))
        values[.ifa] = .withheld
        values[.assetURI] = .text("https://c.example.test/[IFA]?a=%5BIFA%5D")
        values[.adCategories] = .list(["IAB1", "[IFA]"])
        values[.contentPlayhead] = .playhead(milliseconds: Int64(choice) * 1_000)
        values.custom = ["FOO": template]
        let expansion = MacroExpander(values: values, isStrict: choice & 1 == 1).expand(template, in: context)
        require(expansion.steps.count <= template.utf8.count, "there are no more tokens than bytes")
        require(
            MacroExpander(values: values, isStrict: choice & 1 == 1).url(template, in: context) == expansion.url,
            "both functions give the same URL")
        let target = PercentEncoding.requestTarget(expansion.url)
        require(target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a request target is visible ASCII")
        require(PercentEncoding.requestTarget(target) == target, "encoding twice gives the same as encoding once")
    }
}

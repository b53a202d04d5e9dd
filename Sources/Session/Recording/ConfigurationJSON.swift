import AdTracking
import Bidding
import HLS
import Ports

/// The configuration in a recording's header.
extension MonitorConfiguration: RecordedMembers {
    init(recorded fields: Fields) throws(RecordingFormat.Problem) {
        self = try MonitorConfiguration(mediaURL: .member("mediaUrl", of: fields)).reading(fields)
    }

    /// Lists the members. `earlier` is what recordings from before a member replay with: they polled plainly, did not
    /// play interstitials, and requested what a stream named wherever it was.
    mutating func code(_ members: inout MemberCoder) {
        members.code("mediaUrl", &mediaURL)
        members.code("name", &name)
        members.code("provider", &provider)
        members.code("isInitRequest", &isInitRequest)
        members.code("keepUs", &keep)
        members.code("metadataIntervalUs", &metadataInterval)
        members.code("mode", &mode)
        members.code("isReadonly", &sending.isReadonly)
        members.code("firesByDefault", &sending.firesByDefault, earlier: false)
        members.code("allowsPrivate", &sending.allowsPrivate, earlier: true)
        members.code("allowHosts", &sending.allowHosts)
        members.code("reportsAnyway", &sending.reportsAnyway, earlier: false)
        members.code("userAgent", &userAgent)
        members.code("lowLatency", &following.prefersLowLatency, earlier: false)
        members.code("variant", &following.variant, earlier: .best)
        members.code("isLenient", &following.isLenient, earlier: false)
        members.code("rereadsManifest", &following.rereadsManifest, earlier: false)
        members.codeIfPresent("attached", &following.attached)
        members.code("rate", &rate)
        members.code("keepsFromEdge", &following.keepsFromEdge, earlier: false)
        members.code("start", &start)
        members.code("playsInterstitials", &playsInterstitials, earlier: false)
        members.code("seed", &seed)
        members.code("logLines", &log.lines)
        members.code("decision", &decision)
        members.code("retry", &retry)
        members.code("renewal", &renewal)
        members.code("sendsWithoutJournal", &sending.sendsWithoutJournal, earlier: false)
        members.code("writesHistory", &writesHistory, earlier: false)
        members.code("formats", &formats)
        members.code("macros", &macros, earlier: [:])
        members.code("auction", &auction)
        var plugins = auction?.plugins ?? []
        members.code("auctionPlugins", &plugins, isOptional: true)
        auction?.plugins = plugins
        members.code("warmsCache", &warmsCache, earlier: false)
        var hidden = LogSource.allCases.filter { log.hidden.contains($0) }
        members.code("hiddenLog", &hidden, isOptional: true)
        log.hidden = Set(hidden)
    }
}

/// A source of another version is not hidden.
extension LogSource: RecordedElement {
    var recorded: JSONValue { .string(rawValue) }

    static func element(_ json: JSONValue) -> LogSource? { json.stringValue.flatMap { LogSource(rawValue: $0) } }
}

/// Without its plugins, which have a list of their own.
extension AuctionSetup: RecordedValue {
    var recorded: JSONValue { document }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> AuctionSetup {
        do throws(AuctionProblem) {
            return try AuctionSetup(fields.json(name))
        } catch {
            throw .init("has an invalid auction: \(error)")
        }
    }
}

extension StartOption: RecordedValue {
    var recorded: JSONValue {
        switch self {
        case .standard: ["kind": "standard"]
        case .behindEdge(let span): ["kind": "behindEdge", "us": span.recorded]
        case .date(let date): ["kind": "date", "us": date.recorded]
        case .resuming(let date, let uptime): ["kind": "resuming", "us": date.recorded, "uptimeUs": uptime.recorded]
        }
    }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> StartOption {
        let start = try fields.object(name)
        switch try start.string("kind") {
        case "standard": return .standard
        case "behindEdge": return .behindEdge(try .member("us", of: start))
        case "date": return .date(try .member("us", of: start))
        case "resuming": return .resuming(try .member("us", of: start), at: try .member("uptimeUs", of: start))
        case let other: throw .init("has the unknown start '\(other)'")
        }
    }
}

extension AttachedClock: RecordedValue {
    var recorded: JSONValue {
        switch self {
        case .offset(let span): ["kind": "offset", "us": span.recorded]
        case .zero(let date): ["kind": "zero", "us": date.recorded]
        }
    }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> AttachedClock {
        let clock = try fields.object(name)
        switch try clock.string("kind") {
        case "offset": return .offset(try .member("us", of: clock))
        case "zero": return .zero(try .member("us", of: clock))
        case let other: throw .init("has the unknown clock '\(other)'")
        }
    }
}

extension VariantWish: RecordedValue {
    var recorded: JSONValue { .string(text) }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> VariantWish {
        let text = try fields.string(name)
        guard let wish = VariantWish(text) else { throw .init("has the variant '\(text)', which is none") }
        return wish
    }
}

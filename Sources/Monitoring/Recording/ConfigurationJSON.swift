import AdTracking
import Bidding
import Ports

/// The configuration in a recording's header.
enum ConfigurationJSON {
    static func value(of configuration: MonitorConfiguration) -> JSONValue {
        [
            "mediaUrl": .string(configuration.mediaURL.text),
            "name": .optional(configuration.name),
            "provider": .string(configuration.provider.rawValue),
            "isInitRequest": .bool(configuration.isInitRequest),
            "keepUs": .integer(configuration.keep.inMicroseconds),
            "metadataIntervalUs": .integer(configuration.metadataInterval.inMicroseconds),
            "mode": .string(configuration.mode.rawValue),
            "isReadonly": .bool(configuration.isReadonly),
            "firesByDefault": .bool(configuration.firesByDefault),
            "allowsPrivate": .bool(configuration.allowsPrivate),
            "allowHosts": .array(configuration.allowHosts.map(JSONValue.string)),
            "userAgent": .string(configuration.userAgent),
            "lowLatency": .bool(configuration.prefersLowLatency),
            "rate": .double(configuration.rate),
            "start": start(configuration.start),
            "playsInterstitials": .bool(configuration.playsInterstitials),
            // As text, because JSON numbers do not hold unsigned 64-bit values.
            "seed": .string(String(configuration.seed)),
            "logLines": .integer(Int64(configuration.logLines)),
            "decision": configuration.decision.map(DecisionSourceJSON.value) ?? .null,
            "retry": .optional(configuration.retry?.rawValue),
            "renewal": .optional(configuration.renewal?.rawValue),
            "sendsWithoutJournal": .bool(configuration.sendsWithoutJournal),
            "writesHistory": .bool(configuration.writesHistory),
            "formats": configuration.formats.map(FormatsJSON.value) ?? .null,
            "macros": DecisionSourceJSON.value(ofMacros: configuration.macros),
            "auction": configuration.auction?.document ?? .null,
            "auctionPlugins": .array((configuration.auction?.plugins ?? []).map { FormatsJSON.value(of: $0) }),
            "warmsCache": .bool(configuration.warmsCache),
        ]
    }

    static func configuration(from fields: Fields) throws(RecordingFormat.Problem) -> MonitorConfiguration {
        var configuration = MonitorConfiguration(mediaURL: try fields.webURL("mediaUrl"))
        configuration.provider = try fields.choice("provider", of: ProviderSetting.self)
        configuration.isInitRequest = try fields.bool("isInitRequest")
        configuration.keep = .microseconds(try fields.integer("keepUs"))
        configuration.metadataInterval = .microseconds(try fields.integer("metadataIntervalUs"))
        configuration.mode = try fields.choice("mode", of: ReportingMode.self)
        configuration.isReadonly = try fields.bool("isReadonly")
        configuration.allowHosts = try fields.array("allowHosts").compactMap(\.stringValue)
        configuration.userAgent = try fields.string("userAgent")
        // Recordings from before low-latency support used plain polling.
        configuration.prefersLowLatency = fields.has("lowLatency") ? try fields.bool("lowLatency") : false
        configuration.rate = try fields.double("rate")
        configuration.start = try start(from: fields.object("start"))
        // Recordings from before interstitials were played replay without them.
        configuration.playsInterstitials =
            fields.has("playsInterstitials") ? try fields.bool("playsInterstitials") : false
        guard let seed = UInt64(try fields.string("seed")) else { throw .init("has a seed that is not a number") }
        configuration.seed = seed
        configuration.logLines = try fields.int("logLines")
        // Recordings of earlier versions have none of these.
        configuration.firesByDefault = fields.has("firesByDefault") ? try fields.bool("firesByDefault") : false
        // They requested what a stream named wherever it was.
        configuration.allowsPrivate = fields.has("allowsPrivate") ? try fields.bool("allowsPrivate") : true
        configuration.retry = fields.has("retry") ? try fields.choice("retry", of: RetrySetting.self) : nil
        configuration.renewal = fields.has("renewal") ? try fields.choice("renewal", of: RenewalSetting.self) : nil
        configuration.sendsWithoutJournal =
            fields.has("sendsWithoutJournal") ? try fields.bool("sendsWithoutJournal") : false
        configuration.writesHistory = fields.has("writesHistory") ? try fields.bool("writesHistory") : false
        if fields.has("decision") {
            configuration.decision = try DecisionSourceJSON.source(from: fields.object("decision"))
        }
        if fields.has("formats") {
            configuration.formats = try FormatsJSON.configuration(from: fields.object("formats"))
        }
        if fields.has("macros") {
            configuration.macros = try DecisionSourceJSON.macros(from: fields.array("macros"))
        }
        if fields.has("auction") { configuration.auction = try auction(from: fields) }
        configuration.name = fields.has("name") ? try fields.string("name") : nil
        configuration.warmsCache = fields.has("warmsCache") ? try fields.bool("warmsCache") : false
        return configuration
    }

    private static func auction(from fields: Fields) throws(RecordingFormat.Problem) -> AuctionSetup {
        var setup: AuctionSetup
        do throws(AuctionProblem) {
            setup = try AuctionSetup(fields.json("auction"))
        } catch {
            throw .init("has an invalid auction: \(error)")
        }
        if fields.has("auctionPlugins") {
            for value in try fields.array("auctionPlugins") {
                setup.plugins.append(try FormatsJSON.plugin(from: Fields(value)))
            }
        }
        return setup
    }

    private static func start(_ start: StartOption) -> JSONValue {
        switch start {
        case .standard: ["kind": "standard"]
        case .behindEdge(let span): ["kind": "behindEdge", "us": .integer(span.inMicroseconds)]
        case .date(let date): ["kind": "date", "us": .integer(date.microseconds)]
        }
    }

    private static func start(from fields: Fields) throws(RecordingFormat.Problem) -> StartOption {
        switch try fields.string("kind") {
        case "standard": return .standard
        case "behindEdge": return .behindEdge(.microseconds(try fields.integer("us")))
        case "date": return .date(UnixTime(microseconds: try fields.integer("us")))
        case let other: throw .init("has the unknown start '\(other)'")
        }
    }
}

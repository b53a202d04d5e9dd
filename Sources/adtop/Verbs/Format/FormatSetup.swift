import AdFormats
import ArgumentParser
import CreativeServer
import Foundation
import Live
import Ports
import Session

extension AdFormat: ExpressibleByArgument {}

/// The options that define a slot.
struct FormatOptions: ParsableArguments {
    @Option(
        help: "Plugin: adserver, openrtb, prebid, static, recorded, failing, or one of --plugins.",
        completion: .list(AdPluginRegistry.complete.manifests.map(\.identifier)))
    var plugin = "adserver"

    @Option(help: ArgumentHelp("Folder of plugin manifests (default none).", valueName: "dir"), completion: .directory)
    var plugins: String?

    @Option(help: ArgumentHelp("Zone or unit of the ad space to request.", valueName: "unit"))
    var unit = ""

    @Option(
        name: .customLong("type"), help: "Ad format (default banner for format load, interstitial for format show).")
    var format: AdFormat?

    var type: AdFormat { format ?? .banner }

    @Option(
        help: ArgumentHelp("Address of the ad server or endpoint, for adserver, openrtb and prebid.", valueName: "url"))
    var url: String?

    @Option(
        help: ArgumentHelp("Markup, VAST or native JSON that the plugin static serves.", valueName: "file"),
        completion: .file())
    var file: String?

    @Option(help: ArgumentHelp("JSON configuration of the plugin.", valueName: "file"), completion: .files("json"))
    var config: String?

    @Option(help: ArgumentHelp("Size: WxH or a name such as BOX_BANNER.", valueName: "size"))
    var size: String?

    @Option(help: ArgumentHelp("Further parameter of the ad call (repeatable).", valueName: "name=value"))
    var extra: [String] = []

    @Option(help: ArgumentHelp("Location to send (lat,lon); omitted by default.", valueName: "lat,lon"))
    var geo: String?

    @Option(
        help: ArgumentHelp("Orientation to send: p (portrait) or l (landscape).", valueName: "p|l"),
        completion: .list(["p", "l"]))
    var orientation: String?

    @Option(
        help: ArgumentHelp("Connection to send: wifi, cell, ethernet or unknown.", valueName: "type"),
        completion: .list(["wifi", "cell", "ethernet", "unknown"]))
    var connection: String?

    @OptionGroup var adCall: AdCallOptions

    @Option(
        help: ArgumentHelp(
            "Folder of rewarded zones (default $XDG_CACHE_HOME/adtop/zones, as for adtop zone).", valueName: "folder"),
        completion: .directory)
    var zoneFolder: String?

    @Flag(help: "Neither use nor save rewarded zones on disk.")
    var noZones = false

    @Option(help: ArgumentHelp("Longest wait for the provider's answer.", valueName: "duration"))
    var tmax = "10s"

    mutating func validate() throws {
        try CacheFolderOptions.rejectEmpty(zoneFolder, flag: "--zone-folder")
        if zoneFolder != nil, noZones {
            throw ValidationError("--zone-folder and --no-zones exclude each other; give one")
        }
    }

    /// The ad server's address as it was typed; nil without one, or if it is no URL.
    var address: WebURL? { url.flatMap { try? WebURL($0) } }

    /// Everything that a request for an ad needs.
    struct Setup {
        var slot: AdSlot
        var process: PluginProcess?
        var configuration: JSONValue
    }

    /// Throws `FormatFailure` for an ad that cannot be requested and `CommandFailure` for invalid flags.
    func setup(agent: String?) throws -> Setup {
        let configuration = try configuration()
        let parameters = try parameters(agent: agent)
        var settings = AdSlot.Settings()
        settings.profile = parameters.profile
        settings.refresh = RefreshRate(fields: adCall.refreshHeaders)
        settings.rules = try adCall.rules()
        settings.answerTime = try DurationFlag.positive(tmax, flag: "--tmax")
        settings.seed = UInt64.random(in: .min ... .max)
        let adConfig = try adConfig()
        let folder = try plugins.map { path in try PluginFolder(path) }
        if let found = folder?.plugin(plugin) {
            let subprocess = SubprocessPlugin(found.manifest, configuration: configuration)
            let presenter = try presenter { () throws(AdError) in
                try subprocess.makePresenter(slot: Self.slotName, format: type)
            }
            let process = try start(found.executable)
            let slot = AdSlot(
                name: Self.slotName, provider: found.manifest.identifier, presenter: presenter, config: adConfig,
                parameters: parameters, sizes: found.manifest.sizes, settings: settings)
            return Setup(slot: slot, process: process, configuration: subprocess.configuration)
        }
        try rejectOtherSource()
        let own = try builtIn(configuration, folder)
        let presenter = try presenter { () throws(AdError) in
            try own.makePresenter(slot: Self.slotName, format: type)
        }
        let slot = AdSlot(
            name: Self.slotName, provider: own.providerName, presenter: presenter, config: adConfig,
            parameters: parameters, settings: settings)
        return Setup(slot: slot, configuration: configuration)
    }

    private func rejectOtherSource() throws(CommandFailure) {
        let given = [("--url", url != nil), ("--file", file != nil)]
        guard let source = Self.sources[plugin], let other = given.first(where: { $0.1 && $0.0 != source })?.0
        else { return }
        throw CommandFailure(.usage, "\(other): has no effect with --plugin \(plugin); give \(source)")
    }

    /// The flag with which a built-in plugin gets its ads.
    private static let sources = [
        "adserver": "--url", "openrtb": "--url", "prebid": "--url", "static": "--file", "recorded": "--config",
        "failing": "--config",
    ]

    private func builtIn(
        _ configuration: JSONValue, _ folder: PluginFolder?
    ) throws(FormatFailure) -> any AdPlugin {
        if let folder, !AdPluginRegistry.complete.manifests.contains(where: { $0.identifier == plugin }) {
            throw FormatFailure(AdError(.invalidRequest, folder.lack(of: plugin)), remedy: nil)
        }
        do throws(AdError) {
            return try AdPluginRegistry.complete.plugin(plugin, configuration: configuration)
        } catch {
            // For a plugin that does not exist the error names those that do.
            throw FormatFailure(error, remedy: Self.sources[plugin].map { "give \($0)" })
        }
    }

    private func presenter(_ make: () throws(AdError) -> any AdPresenter) throws(FormatFailure) -> any AdPresenter {
        do throws(AdError) {
            return try make()
        } catch {
            throw FormatFailure(error, remedy: "give another --type")
        }
    }

    /// The store of rewarded zones; nil when there is no folder or zones are not used.
    func zones() throws(CommandFailure) -> ZoneStore? {
        noZones || type != .rewarded ? nil : try ZoneFolderOptions.store(in: zoneFolder)
    }

    private static let slotName = "slot-1"

    func parameters(agent: String? = nil) throws(CommandFailure) -> RequestParameters {
        var parameters = RequestParameters(version: Version.current)
        if let agent { parameters.userAgent = agent }
        var wanted: [(flag: String, key: String, value: String)] = [
            ("--profile", "did", adCall.profile?.rawValue), ("--geo", "geo", geo), ("--orientation", "o", orientation),
            ("--connection", "conn", connection),
        ]
        .compactMap { entry in entry.2.map { (entry.0, entry.1, $0) } }
        wanted += try NameValue.pairs(adCall.parameters, flag: "--ad-parameter").sorted { $0.key < $1.key }
            .map { ("--ad-parameter", $0.key, $0.value) }
        for (flag, key, value) in wanted {
            do throws(RequestParameters.Problem) {
                try parameters.set(key, to: value)
            } catch {
                throw CommandFailure(.usage, "\(flag): '\(value)' is not valid: \(error.explanation)")
            }
        }
        return parameters
    }

    private func adConfig() throws(CommandFailure) -> AdConfig {
        let pixels = size.flatMap { PixelSize(text: $0) }
        var config = AdConfig(unit: unit, format: type, sizeName: pixels == nil ? size : nil, size: pixels)
        config.extra = try NameValue.pairs(extra, flag: "--extra").sorted { $0.key < $1.key }
            .map { AdConfig.Parameter($0.key, $0.value) }
        return config
    }

    private func configuration() throws(CommandFailure) -> JSONValue {
        var object = JSONObject()
        if let config {
            let content = try InputFile.bytes(config, limit: PluginManifest.maximumBytes)
            guard let read = (try? JSONReader.read(content))?.objectValue else {
                throw CommandFailure(.unreadable, "\(config): not a JSON object")
            }
            object = read
        }
        // An address on the command line is the address of the chosen environment.
        let environment = adCall.environment ?? .production
        if let url { object[environment.rawValue] = .string(address?.withoutCredentials.text ?? url) }
        if let chosen = adCall.environment { object["env"] = .string(chosen.rawValue) }
        if let file {
            let text = String(decoding: try InputFile.bytes(file, limit: AdPayload.maximumBytes), as: UTF8.self)
            object["units"] = .object(JSONObject([.init(name: unit, value: surface(of: text))]))
        }
        return .object(object)
    }

    private func surface(of text: String) -> JSONValue {
        switch type {
        case .banner, .interstitial: ["html": .string(text)]
        case .rewarded: ["vast": .string(text)]
        case .native: ["native": .string(text)]
        }
    }

    private func start(_ executable: URL) throws(CommandFailure) -> PluginProcess {
        do throws(FileProblem) {
            return try PluginProcess(executable: executable)
        } catch {
            throw CommandFailure(.unreadable, "\(error)")
        }
    }
}

/// Why an ad cannot be requested: the error of its plugin, and what helps.
struct FormatFailure: Error {
    let error: AdError
    /// Nil where the error names it.
    let remedy: String?

    init(_ error: AdError, remedy: String?) {
        self.error = error
        self.remedy = remedy
    }

    /// One line.
    var message: String { "\(error.reason.word): \(error.detail)\(remedy.map { "; \($0)" } ?? "")" }
}

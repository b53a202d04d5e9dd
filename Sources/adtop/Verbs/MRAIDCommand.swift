import AdFormats
import ArgumentParser
import Ports

extension MRAIDContainer.Placement: ExpressibleByArgument {}

/// `adtop mraid FILE [--script F]`
struct MRAIDCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mraid",
        abstract: "Report the MRAID features a creative uses and how a container handles its calls.",
        discussion: """
            A script has one step on each line: loaded, expand, resize WxH X Y, close, open URL, useCustomClose \
            true|false, exposure PERCENT, unload. The code of the creative is not run.

            Examples:
              adtop mraid creative.html
              adtop mraid creative.html --script steps.txt --placement interstitial

            Exit codes: 0 success, 1 the container rejects a step, 2 usage error, 3 network error, 4 unreadable input.
            """)

    @Argument(help: "Creative: file, URL, or - for stdin.", completion: .files("html", "js"))
    var place: String

    @Option(help: ArgumentHelp("File with the steps for the container.", valueName: "file"), completion: .file())
    var script: String?

    @Option(help: "Placement of the container.")
    var placement = MRAIDContainer.Placement.inline

    @Option(help: ArgumentHelp("Default size of the ad.", valueName: "WxH"))
    var size = "320x50"

    @Flag(help: "Print JSON (schema adtop-mraid/1).")
    var json = false

    @OptionGroup var fetch: FetchOptions

    func run() async throws {
        guard let pixels = PixelSize(text: size) else {
            throw CommandFailure(.usage, "--size: '\(size)' is not WxH such as 320x50")
        }
        let content = try await fetch.input.read(place, limit: AdPayload.maximumBytes)
        let lint = MRAIDLint(String(decoding: content.bytes, as: UTF8.self))
        let steps = try await steps()
        var container = MRAIDContainer(placement: placement, size: pixels, screen: DeviceProfile.phone.screen)
        var trace: [JSONValue] = []
        var isRefused = false
        for step in steps {
            let events = container.apply(step.command)
            for case .error in events { isRefused = true }
            trace.append([
                "line": .optional(step.line), "command": .string(step.command.name),
                "events": .array(events.map { .string($0.text) }), "state": .string(container.state.rawValue),
            ])
        }
        let value = Self.json(lint, trace)
        if json {
            Output.write(value.text(indented: true) + "\n")
        } else {
            Report.tree(value).dropFirst().forEach { Output.line($0) }
        }
        if isRefused { throw ExitStatus.findings.code }
    }

    private func steps() async throws -> [MRAIDScript.Step] {
        guard let script else { return [] }
        let content = try await fetch.input.read(script, limit: SettingsLoader.maximumBytes)
        do throws(MRAIDScript.Problem) {
            return try MRAIDScript(String(decoding: content.bytes, as: UTF8.self)).steps
        } catch {
            throw CommandFailure(.unreadable, "\(script):\(error.line): \(error.message)")
        }
    }

    private static func json(_ lint: MRAIDLint, _ trace: [JSONValue]) -> JSONValue {
        [
            "schema": "adtop-mraid/1", "usesMRAID": .bool(!lint.isEmpty), "script": .bool(lint.hasScript),
            "version": .optional(lint.versionNeeded), "listensForReady": .bool(lint.listensForReady),
            "calls": .array(
                lint.calls.map {
                    [
                        "name": .string($0.name), "count": .optional($0.count), "version": .optional($0.version),
                        "deprecated": .bool($0.isDeprecated),
                    ]
                }),
            "warnings": .array(lint.warnings.map(JSONValue.string)), "trace": .array(trace),
        ]
    }
}

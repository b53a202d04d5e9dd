import AdFormats
import ArgumentParser
import Ports

/// `adtop native FILE|URL`
struct NativeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "native", abstract: "Report the six fields, trackers and warnings of OpenRTB Native markup.",
        discussion: """
            The document is the markup itself, a bid that has the markup in adm, or an object with request and response.

            Examples:
              adtop native ad.json
              adtop native https://ads.example.com/native --request request.json --json

            Exit codes: 0 success, 1 the ad cannot be shown, 2 usage error, 3 network error, 4 unreadable input.
            """)

    @Argument(help: "Markup: file, URL, or - for stdin.", completion: .files("json"))
    var place: String

    @Option(
        help: ArgumentHelp("Native request with the required assets.", valueName: "file"), completion: .files("json"))
    var request: String?

    @Flag(help: "Print JSON (schema adtop-native/1).")
    var json = false

    @OptionGroup var fetch: FetchOptions

    func run() async throws {
        let document = try await fetch.input.document(place, limit: AdPayload.maximumBytes)
        var asked = document["request"] ?? .null
        if let request { asked = try await fetch.input.document(request, limit: AdPayload.maximumBytes) }
        let response = document["response"] ?? document["adm"] ?? document
        let markup = NativeMarkup(response, request: asked == .null ? nil : asked)
        let value = Self.json(markup)
        if json {
            Output.write(value.text(indented: true) + "\n")
        } else {
            Report.tree(value).dropFirst().forEach { Output.line($0) }
        }
        if markup.isInvalid { throw ExitStatus.findings.code }
    }

    private static func json(_ markup: NativeMarkup) -> JSONValue {
        func texts(_ list: [String]) -> JSONValue { .array(list.map(JSONValue.string)) }
        func image(_ image: NativeMarkup.Image?) -> JSONValue {
            image.map { ["url": .string($0.url), "size": .string($0.sizeText)] } ?? .null
        }
        return [
            "schema": "adtop-native/1", "valid": .bool(!markup.isInvalid), "version": .optional(markup.version),
            "title": .optional(markup.title), "description": .optional(markup.description),
            "rating": .optional(markup.rating), "icon": image(markup.icon), "image": image(markup.image),
            "buttonText": .optional(markup.buttonText), "clickURL": .optional(markup.clickURL),
            "fallbackURL": .optional(markup.fallbackURL), "impressionTrackers": texts(markup.impressionTrackers),
            "clickTrackers": texts(markup.clickTrackers),
            "eventTrackers": .array(
                markup.eventTrackers.map {
                    ["event": .optional($0.event), "method": .optional($0.method), "url": .string($0.url)]
                }),
            "unsupportedTrackers": texts(markup.unsupportedTrackers),
            "scriptTracker": .optional(markup.scriptTracker), "privacyURL": .optional(markup.privacyURL),
            "warnings": texts(markup.warnings),
        ]
    }
}

import AdFormats
import ArgumentParser
import Ports
import VAST

/// `adtop rewarded FILE`
struct RewardedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rewarded", abstract: "Report the reward settings and end cards of a VAST document.",
        discussion: """
            Examples:
              adtop rewarded ad.xml
              adtop rewarded https://ads.example.com/zone --json

            Exit codes: 0 an ad grants a reward, 1 no ad grants a reward, 2 usage error, 3 network error, 4 unreadable \
            input.
            """)

    @Argument(help: "VAST document: file, URL, or - for stdin.", completion: .files("xml"))
    var place: String

    @Flag(help: "Print JSON (schema adtop-rewarded/1).")
    var json = false

    @OptionGroup var fetch: FetchOptions

    func run() async throws {
        let content = try await fetch.input.read(place, limit: Limits.vastBytes)
        let reading = VASTReader.read(content.bytes, charset: content.exchange?.charset)
        guard let document = reading.vast else {
            let why = reading.xml.problem?.message ?? "not a VAST document"
            throw CommandFailure(.unreadable, "\(place): \(why)")
        }
        let value: JSONValue = ["schema": "adtop-rewarded/1", "ads": .array(document.ads.map(Self.json))]
        if json {
            Output.write(value.text(indented: true) + "\n")
        } else if document.ads.isEmpty {
            Output.line("no ad in the document")
        } else {
            Report.tree(value).dropFirst().forEach { Output.line($0) }
        }
        let grants = document.ads.contains { RewardedVideo(in: $0.extensions)?.isGranting == true }
        if !grants { throw ExitStatus.findings.code }
    }

    private static func json(_ ad: VASTDocument.Ad) -> JSONValue {
        let screen = DeviceProfile.tablet.screen
        let companions = ad.creatives.compactMap(\.companionAds).flatMap(\.companions)
        let card = EndCard(from: companions, screenWidth: screen.width, screenHeight: screen.height)
        let rewarded = RewardedVideo(in: ad.extensions)
        let rules = RewardRules(extension: rewarded, bid: nil)
        return [
            "ad": .optional(ad.id), "title": .optional(ad.title), "grants": .bool(rewarded?.isGranting ?? false),
            "rewarded": rewarded.map(json) ?? .null, "earnedBy": .string(rules.earningText),
            "messages": .array(
                ((rewarded?.messagesBefore ?? []) + (rewarded?.messagesAfter ?? [])).map(JSONValue.string)),
            "endCard": card.map(json) ?? .null,
        ]
    }

    private static func json(_ rewarded: RewardedVideo) -> JSONValue {
        [
            "on": .bool(rewarded.isOn), "currency": .optional(rewarded.currency), "amount": .optional(rewarded.amount),
            "amountText": .optional(rewarded.amountText), "imageURL": .optional(rewarded.imageURL),
            "preRollMessage": .bool(rewarded.showsPreRollMessage),
            "postRollMessage": .bool(rewarded.showsPostRollMessage),
            "warnings": .array(rewarded.warnings.map { .string($0.rawValue) }),
        ]
    }

    private static func json(_ card: EndCard) -> JSONValue {
        [
            "kind": .string(card.kindName), "value": .string(card.value), "width": .optional(card.companion.width),
            "height": .optional(card.companion.height), "clickThrough": .optional(card.companion.clickThrough?.url),
        ]
    }
}

import AdFormats
import Bidding
import Foundation

/// What the options of `adtop check` allow and block; nil for a check that is not asked for.
struct CheckRules {
    /// The result of one check.
    struct Outcome: Equatable {
        var name: String
        /// The offending value; nil when the check passes.
        var offender: String?
        /// The member that the bid does not have, so that there was nothing to check.
        var missing: String?

        fileprivate init(_ name: String, _ offender: String?, missing: String? = nil) {
            self.name = name
            self.offender = offender
            self.missing = missing
        }
    }

    private(set) var advertisers: [String]?
    private(set) var categories: [String]?
    private(set) var attributes: [Int]?
    private(set) var bundles: [String]?
    private(set) var languages: [String]?
    private(set) var sizes: [String]?
    private(set) var duration: ClosedRange<Int>?
    private(set) var isSecure: Bool

    init(_ command: CheckCommand) throws(CommandFailure) {
        advertisers = try Self.members(command.badv, "--badv")
        categories = try Self.members(command.bcat, "--bcat")
        attributes = try Self.members(command.battr, "--battr", "numbers") { Int($0) }
        bundles = try Self.members(command.bapp, "--bapp")
        languages = try Self.members(command.languages, "--languages")
        sizes = try Self.members(command.size, "--size", "sizes such as 320x50") { PixelSize(text: $0)?.text }
        duration = try Self.range(command.duration)
        isSecure = command.secure
        if !isSecure, ofBid == nil {
            throw CommandFailure(
                .usage,
                "no check: give --badv, --bcat, --battr, --bapp, --languages, --size, --duration or --secure")
        }
    }

    /// The first option that applies only to a bid.
    private var ofBid: String? {
        let given = [
            ("--badv", advertisers != nil), ("--bcat", categories != nil), ("--battr", attributes != nil),
            ("--bapp", bundles != nil), ("--languages", languages != nil), ("--size", sizes != nil),
            ("--duration", duration != nil),
        ]
        return given.first(where: \.1)?.0
    }

    /// One outcome for each check that is asked for.
    func outcomes(_ file: CheckedFile) throws(CommandFailure) -> [Outcome] {
        switch file {
        case .markup(let markup):
            if let ofBid {
                throw CommandFailure(
                    .usage, "\(ofBid): applies only to a bid, and the file is markup; give a bid, or only --secure")
            }
            return [Self.secure(markup)]
        case .bid(let bid):
            return try listed(bid) + measured(bid)
                + (isSecure ? [try bid.text("adm").map(Self.secure) ?? Outcome("secure", nil, missing: "adm")] : [])
        }
    }

    private func listed(_ bid: CheckedBid) throws(CommandFailure) -> [Outcome] {
        var outcomes: [Outcome] = []
        if let advertisers {
            let domains = try bid.texts("adomain")
            let found = domains.flatMap { BrandSafety.blockedAdvertiser($0, by: advertisers) }
            outcomes.append(Outcome("advertiser", found, missing: domains == nil ? "adomain" : nil))
        }
        if let categories {
            let own = try bid.texts("cat")
            let found = own.flatMap { BrandSafety.blockedCategory($0, by: categories) }
            outcomes.append(Outcome("category", found, missing: own == nil ? "cat" : nil))
        }
        if let attributes {
            let own = try bid.numbers("attr")
            let found = own.flatMap { BrandSafety.blockedAttribute($0, by: attributes) }
            outcomes.append(Outcome("attribute", found.map { "\($0)" }, missing: own == nil ? "attr" : nil))
        }
        if let bundles {
            let bundle = try bid.text("bundle")
            let found = bundle.flatMap { bundles.contains($0) ? $0 : nil }
            outcomes.append(Outcome("bundle", found, missing: bundle == nil ? "bundle" : nil))
        }
        if let languages {
            let language = try bid.text("language")
            let isAllowed = BrandSafety.isAllowed(language: language, among: languages)
            outcomes.append(
                Outcome("language", isAllowed ? nil : language, missing: language == nil ? "language" : nil))
        }
        return outcomes
    }

    private func measured(_ bid: CheckedBid) throws(CommandFailure) -> [Outcome] {
        var outcomes: [Outcome] = []
        if let sizes {
            let (width, height) = (try bid.number("w") ?? 0, try bid.number("h") ?? 0)
            let isGiven = width > 0 && height > 0
            let size = "\(width)x\(height)"
            outcomes.append(
                Outcome("size", isGiven && !sizes.contains(size) ? size : nil, missing: isGiven ? nil : "w and h"))
        }
        if let duration {
            let seconds = try bid.number("dur")
            let found = seconds.flatMap { duration.contains($0) ? nil : "\($0) s" }
            outcomes.append(Outcome("duration", found, missing: seconds == nil ? "dur" : nil))
        }
        return outcomes
    }

    private static func secure(_ markup: String) -> Outcome {
        Outcome("secure", BrandSafety.isInsecure(markup) ? "loads over http only" : nil)
    }

    private static func range(_ text: String?) throws(CommandFailure) -> ClosedRange<Int>? {
        guard let text else { return nil }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard ends.count == 2, let least = ends[0], let most = ends[1], least >= 0, least <= most else {
            throw CommandFailure(.usage, "--duration: '\(text)' is not a range of seconds such as 5-30")
        }
        return least...most
    }

    private static func members(_ list: String?, _ flag: String) throws(CommandFailure) -> [String]? {
        try members(list, flag, "values") { $0 }
    }

    /// The members of a comma-separated list. A list without one would block nothing, and every bid would pass.
    private static func members<Member>(
        _ list: String?, _ flag: String, _ kind: String, _ member: (String) -> Member?
    ) throws(CommandFailure) -> [Member]? {
        guard let list else { return nil }
        let texts = list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        let members = texts.compactMap(member)
        guard !members.isEmpty, members.count == texts.count else {
            throw CommandFailure(.usage, "\(flag): '\(list)' is not a comma-separated list of \(kind)")
        }
        return members
    }
}

/// A section of docs/settings.md with its settings, in the order of the page. The sections are beside the settings that
/// they describe.
struct SettingSection: Sendable {
    let title: String
    let settings: [SettingSpec]

    static let all = [session, requests, connection, clientSide, auction, adSpaces, screen, files, cache]

    static let auction = SettingSection(
        title: "Auction",
        settings: [
            SettingSpec(
                .auction, "file with the auction to run beside the stream", scope: .session, \.auction,
                optional: .nonempty)
        ])
}

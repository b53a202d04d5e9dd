import AdFormats
import ArgumentParser

/// The options for ad calls and their answers, shared by all verbs that make ad calls.
struct AdCallOptions: ParsableArguments {
    @Option(help: "Device to send in ad calls, with its screen and banner size (default phone).")
    var profile: DeviceProfile.Kind?

    @Option(
        name: .customLong("ad-parameter"),
        help: ArgumentHelp(
            "Parameter of ad calls: o=l, conn=wifi, geo=59.3,18.1, did=tablet, … (repeatable).",
            valueName: "key=value"))
    var parameters: [String] = []

    @Option(
        name: .customLong("refresh-header"),
        help: ArgumentHelp("Header field that holds a banner's refresh rate (repeatable).", valueName: "name"))
    var refreshHeaders: [String] = []

    @Option(
        name: .customLong("env"),
        help: ArgumentHelp("Address of the ad server to use (default production).", valueName: "production|development")
    )
    var environment: AdServerEnvironment?

    @Option(
        help: ArgumentHelp("Limits of a banner's refresh rate in seconds (default 15,120).", valueName: "least,most"))
    var refreshClamp: String?

    @Option(help: ArgumentHelp("Visible share that counts as an impression (default 0.5).", valueName: "share"))
    var impression: String?

    @Option(
        help: ArgumentHelp(
            """
            Milliseconds between visibility samples, and until a display ad and a video are viewable (default \
            250,1000,2000).
            """,
            valueName: "sample,display,video"))
    var viewability: String?

    @Option(
        name: .customLong("open-cmd"),
        help: ArgumentHelp(
            "Program that opens the click destination of an ad (default none).", valueName: "program"))
    var openCommand: String?

    /// The viewing rules with the given figures.
    func rules() throws(CommandFailure) -> ViewingRules {
        var rules = ViewingRules()
        let given = [(refreshClamp, "--refresh-clamp"), (impression, "--impression"), (viewability, "--viewability")]
        for case (let text?, let flag) in given {
            do throws(ViewingRules.Problem) {
                switch flag {
                case "--refresh-clamp": try rules.setRefresh(text)
                case "--impression": try rules.setImpression(text)
                default: try rules.setViewability(text)
                }
            } catch {
                throw CommandFailure(.usage, "\(flag): '\(text)' \(error.explanation)")
            }
        }
        return rules
    }
}

extension DeviceProfile.Kind: ExpressibleByArgument {}

/// Which of an ad server's two addresses is used (FMT-4).
enum AdServerEnvironment: String, CaseIterable, ExpressibleByArgument {
    case production, development
}

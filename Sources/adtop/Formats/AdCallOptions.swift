import AdFormats
import ArgumentParser

/// What is said in ad calls and read from their answers, shared by everything that makes some.
struct AdCallOptions: ParsableArguments {
    @Option(help: "Device that ad calls name, with its screen and its banner.")
    var profile: DeviceProfile.Kind?

    @Option(
        name: .customLong("ad-parameter"),
        help: ArgumentHelp(
            "Parameter of ad calls by its key: o=l, conn=wifi, geo=59.3,18.1, did=tablet, … (repeatable).",
            valueName: "key=value"))
    var parameters: [String] = []

    @Option(
        name: .customLong("refresh-header"),
        help: ArgumentHelp("Header field with a banner's refresh rate (repeatable).", valueName: "name"))
    var refreshHeaders: [String] = []

    @Option(
        name: .customLong("env"),
        help: ArgumentHelp("Which address of the ad server is asked.", valueName: "production|development"))
    var environment: AdServerEnvironment?

    @Option(
        help: ArgumentHelp("Seconds that a banner's refresh rate is held between: 15,120.", valueName: "least,most"))
    var refreshClamp: String?

    @Option(help: ArgumentHelp("Share of an ad space from which on it makes an impression: 0.5.", valueName: "share"))
    var impression: String?

    @Option(
        help: ArgumentHelp(
            "Milliseconds between looks at an ad, and that make a display ad and a video viewable: 250,1000,2000.",
            valueName: "sample,display,video"))
    var viewability: String?

    @Option(
        name: .customLong("open-cmd"),
        help: ArgumentHelp(
            "Program that opens where the click of an ad leads; nothing is opened without.", valueName: "program"))
    var openCommand: String?

    /// Which figures count.
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

/// Which of an ad server's two addresses is asked (FMT-4).
enum AdServerEnvironment: String, CaseIterable, ExpressibleByArgument {
    case production, development
}

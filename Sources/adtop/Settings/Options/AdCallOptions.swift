import AdFormats
import ArgumentParser

/// The options for ad calls and their answers, shared by all verbs that make ad calls.
struct AdCallOptions: ParsableArguments {
    @Option(help: .of(.profile))
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

    @Option(name: .customLong("env"), help: .of(.environment, "production|development"))
    var environment: AdServerEnvironment?

    @Option(help: .of(.refreshClamp, "least,most"))
    var refreshClamp: String?

    @Option(help: .of(.impression, "share"))
    var impression: String?

    @Option(help: .of(.viewability, "sample,display,video"))
    var viewability: String?

    @Option(name: .customLong("open-cmd"), help: .of(.openCommand, "program"), completion: .file())
    var openCommand: String?

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.environment] = environment?.rawValue
        settings[.openCommand] = openCommand
        settings[.refreshClamp] = refreshClamp
        settings[.impression] = impression
        settings[.viewability] = viewability
        settings[.profile] = profile?.rawValue
        settings.give(.adParameter, parameters)
        settings.give(.refreshHeader, refreshHeaders)
        return settings
    }

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

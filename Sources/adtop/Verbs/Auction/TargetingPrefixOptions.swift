import ArgumentParser
import Bidding
import Ports

/// The option that names the prefix of targeting keys.
struct TargetingPrefixOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Prefix of the targeting keys, if the Prebid Server is configured to use another one.", valueName: "text"))
    var targetingPrefix = TargetingOptions.standardPrefix

    /// The checked prefix.
    func prefix() throws(CommandFailure) -> String {
        guard TargetingOptions.isPrefix(targetingPrefix) else {
            throw CommandFailure(
                .usage,
                "--targeting-prefix: '\(targetingPrefix)' is not 1 to \(TargetingOptions.longestPrefix) letters and digits"
            )
        }
        return targetingPrefix
    }

    /// The answer of a Prebid Server; nil when the document is not one.
    func answer(_ document: JSONValue) throws(CommandFailure) -> PrebidAnswer? {
        PrebidAnswer(document, requiresCacheID: false, prefix: try prefix())
    }
}

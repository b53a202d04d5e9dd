import Ports

/// The thresholds for impressions, viewability and banner refresh; a configuration may change them (FMT-12, FMT-13).
package struct ViewingRules: Sendable, Hashable {
    /// Refresh rates that ad SDKs accept, in seconds; values outside are clamped.
    package var refreshSeconds: ClosedRange<Int64> = 15...120
    /// Smallest visible fraction that counts as an impression.
    package var impressionFraction = AdStateMachine.standardImpressionFraction
    /// Interval between samples of an ad's visibility.
    package var sample: Duration = .milliseconds(250)
    /// Time for which a display ad, and below a video, must be visible to count as viewable.
    package var displayDwell: Duration = .seconds(1)
    package var videoDwell: Duration = .seconds(2)

    package init() {}

    /// Why a text is not a rule, as a predicate.
    package struct Problem: Error, Sendable, Hashable {
        package var explanation: String
    }

    /// Longest time in a rule in milliseconds.
    private static let longest: Int64 = 3_600_000

    /// Parses `15,120`, in seconds.
    package mutating func setRefresh(_ text: String) throws(Problem) {
        guard let numbers = Self.numbers(text, count: 2), numbers[0] > 0, numbers[0] <= numbers[1] else {
            throw Problem(explanation: "is not LEAST,MOST in seconds, such as 15,120")
        }
        refreshSeconds = numbers[0]...numbers[1]
    }

    /// Parses `0.5`, above 0 and at most 1.
    package mutating func setImpression(_ text: String) throws(Problem) {
        guard let fraction = Double(text), fraction > 0, fraction <= 1 else {
            throw Problem(explanation: "is not a number above 0 and up to 1, such as 0.5")
        }
        impressionFraction = fraction
    }

    /// Parses `250,1000,2000`: milliseconds between samples, for display ads, for videos.
    package mutating func setViewability(_ text: String) throws(Problem) {
        guard let numbers = Self.numbers(text, count: 3), numbers.allSatisfy({ $0 > 0 }) else {
            throw Problem(explanation: "is not SAMPLE,DISPLAY,VIDEO in milliseconds, such as 250,1000,2000")
        }
        sample = .milliseconds(numbers[0])
        displayDwell = .milliseconds(numbers[1])
        videoDwell = .milliseconds(numbers[2])
    }

    private static func numbers(_ text: String, count: Int) -> [Int64]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int64($0) }.filter { (0...longest).contains($0) }
        return parts.count == count && numbers.count == count ? numbers : nil
    }

    /// The rules as three texts, for a recording.
    package var texts: [String] {
        [
            "\(refreshSeconds.lowerBound),\(refreshSeconds.upperBound)", "\(impressionFraction)",
            "\(sample.inMilliseconds),\(displayDwell.inMilliseconds),\(videoDwell.inMilliseconds)",
        ]
    }
}

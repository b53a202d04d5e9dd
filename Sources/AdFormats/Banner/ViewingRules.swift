import Ports

/// The figures by which ads count as seen and banners are loaded again; a configuration may have others
/// (FMT-12, FMT-13).
package struct ViewingRules: Sendable, Hashable {
    /// Seconds that ad SDKs take as a refresh rate; what lies outside is moved to the nearer end.
    package var refreshSeconds: ClosedRange<Int64> = 15...120
    /// Visible from this share on an ad makes an impression.
    package var impressionFraction = AdStateMachine.standardImpressionFraction
    /// Between two looks at an ad.
    package var sample: Duration = .milliseconds(250)
    /// How long a display ad, and a video, has to be seen to be viewable.
    package var displayDwell: Duration = .seconds(1)
    package var videoDwell: Duration = .seconds(2)

    package init() {}

    /// Why a text is no rule, as a clause.
    package struct Problem: Error, Sendable, Hashable {
        package var explanation: String
    }

    /// Longest time in a rule, in milliseconds.
    private static let longest: Int64 = 3_600_000

    /// `15,120`: seconds.
    package mutating func setRefresh(_ text: String) throws(Problem) {
        guard let numbers = Self.numbers(text, count: 2), numbers[0] > 0, numbers[0] <= numbers[1] else {
            throw Problem(explanation: "is not LEAST,MOST in seconds, as 15,120")
        }
        refreshSeconds = numbers[0]...numbers[1]
    }

    /// `0.5`: above 0, at most 1.
    package mutating func setImpression(_ text: String) throws(Problem) {
        guard let fraction = Double(text), fraction > 0, fraction <= 1 else {
            throw Problem(explanation: "is not a share above 0 and up to 1, as 0.5")
        }
        impressionFraction = fraction
    }

    /// `250,1000,2000`: milliseconds between looks, for display ads, for videos.
    package mutating func setViewability(_ text: String) throws(Problem) {
        guard let numbers = Self.numbers(text, count: 3), numbers.allSatisfy({ $0 > 0 }) else {
            throw Problem(explanation: "is not SAMPLE,DISPLAY,VIDEO in milliseconds, as 250,1000,2000")
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

    /// For a recording: as the three texts.
    package var texts: [String] {
        [
            "\(refreshSeconds.lowerBound),\(refreshSeconds.upperBound)", "\(impressionFraction)",
            "\(sample.inMilliseconds),\(displayDwell.inMilliseconds),\(videoDwell.inMilliseconds)",
        ]
    }
}

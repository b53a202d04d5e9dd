package import Ports

/// A beacon that failed: what the table of sessions names of the newest one.
package struct FailedBeacon: Sendable, Equatable {
    /// What it reports: `firstQuartile`, `ping start`, `footer: impression`.
    package var event: String
    /// Empty where its address is no URL.
    package var host: String
    /// Status of the last answer; nil without one.
    package var status: Int?
    /// Why the last try had no answer.
    package var failure: HTTPFailure?
    /// When it had failed for good.
    package var at: Moment

    package init(event: String, host: String, status: Int? = nil, failure: HTTPFailure? = nil, at: Moment) {
        (self.event, self.host, self.status, self.failure, self.at) = (event, host, status, failure, at)
    }
}

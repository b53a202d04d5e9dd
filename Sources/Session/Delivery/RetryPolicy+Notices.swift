import AdTracking
import Bidding

extension RetryPolicy {
    /// Which notices of a kind are repeated (BID-20).
    init(of kind: Notice.Kind, _ setting: RetrySetting) {
        guard kind == .billing, setting != .never else {
            self = .never
            return
        }
        // The number of repeats ends them, not the time: ten minutes hold them all, however late each answer is.
        self.init(
            delays: Array(repeating: NoticeRetry.interval, count: NoticeRetry.maximumRetries), jitter: 0,
            repeatsUnknown: setting == .standard, retriesAfterServerError: 0, afterAdEnd: .seconds(600))
        repeatsAnyAnswer = setting == .standard
    }
}

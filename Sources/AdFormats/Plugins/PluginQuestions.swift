import Ports

/// The unanswered requests to a plugin (FMT-25): loads and bids, each with its deadline. A late answer is useless to
/// the requester, but shows that the plugin does not hang.
struct PluginQuestions: Sendable {
    /// A request that needs an answer; repeating it is the same request.
    private enum Question: Hashable {
        case load(presenter: String)
        case bid(request: String)
    }

    /// Requests before their deadline, with the deadlines. They are few: one per ad space and auction.
    private var open: [Question: Duration] = [:]
    /// Requests whose deadline passed since the last answer.
    private var overdue: [Question] = []
    private(set) var hasAnswered = false

    /// Uptime of the next deadline.
    var nextDue: Duration? { open.values.min() }
    /// Number of consecutive requests whose deadline passed.
    var unanswered: Int { overdue.count }

    /// Records a message sent to the plugin.
    mutating func asked(_ message: HostMessage, at uptime: Duration) {
        switch message {
        case .load(let presenter, _): open[.load(presenter: presenter)] = uptime + PluginSession.loadTime
        // An answer exactly at the deadline is in time.
        case .bid(let request, _, let time):
            open[.bid(request: request)] = uptime + time + .milliseconds(1)
        case .hello, .create, .show, .click, .dismiss, .visibility, .finished, .bye: break
        }
    }

    /// Records a message from the plugin; one that answers no request has no effect.
    mutating func answered(_ message: PluginMessage) {
        let question: Question
        switch message {
        case .loaded(let presenter, _), .failed(let presenter, _): question = .load(presenter: presenter)
        case .bid(let request, _): question = .bid(request: request)
        case .ready, .state, .reward, .bye: return
        }
        guard open.removeValue(forKey: question) != nil || overdue.contains(question) else { return }
        overdue = []
        hasAnswered = true
    }

    /// Moves all deadlines by the time in which no plugin ran.
    mutating func stoodStill(for span: Duration) {
        open = open.mapValues { $0 + span }
    }

    /// Discards the open requests.
    mutating func close() {
        open = [:]
    }

    /// Advances to `uptime`.
    mutating func advance(to uptime: Duration) {
        for (question, due) in open where due <= uptime {
            open[question] = nil
            overdue.append(question)
        }
    }
}

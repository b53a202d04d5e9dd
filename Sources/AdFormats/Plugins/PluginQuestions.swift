import Ports

/// What a plugin was asked and has not answered (FMT-25): loads and bids, each with its time. A late
/// answer is none to whoever asked, but shows that the plugin does not hang.
struct PluginQuestions: Sendable {
    /// Something that wants an answer; the same question asked again is one question.
    private enum Question: Hashable {
        case load(presenter: String)
        case bid(request: String)
    }

    /// What has its time still; asked of one plugin by ad spaces and auctions, so they are few.
    private var open: [Question: Duration] = [:]
    /// Times that passed since it last answered.
    private var overdue: [Question] = []
    private(set) var hasAnswered = false

    /// Uptime at which the next one's time has passed.
    var nextDue: Duration? { open.values.min() }
    /// Questions in a row whose time passed.
    var unanswered: Int { overdue.count }

    /// The plugin hears it now.
    mutating func asked(_ message: HostMessage, at uptime: Duration) {
        switch message {
        case .load(let presenter, _): open[.load(presenter: presenter)] = uptime + PluginSession.loadTime
        // An answer at the very end of the time counts.
        case .bid(let request, _, let time):
            open[.bid(request: request)] = uptime + time + .milliseconds(1)
        case .hello, .create, .show, .click, .dismiss, .visibility, .finished, .bye: break
        }
    }

    /// What answers none of them, changes nothing.
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

    /// Nobody waits for answers any more.
    mutating func close() {
        open = [:]
    }

    /// Time has come to `uptime`.
    mutating func advance(to uptime: Duration) {
        for (question, due) in open where due <= uptime {
            open[question] = nil
            overdue.append(question)
        }
    }
}

import AdTracking
import Ports

/// The viewer's actions and the results of their beacons.
package struct UserReports: Sendable {
    /// Maximum number of results kept for callers that ask later.
    static let remembered = 64

    private struct Open: Sendable {
        var number: Int
        var target: String
        /// The last answer, for the message.
        var answer = ""
    }

    package private(set) var newest: UserReportView?
    private var results: [Int: Bool] = [:]
    /// Reports in progress, by the tracker's number of the action.
    private var open: [Int: Open] = [:]
    private var nextNumber = 1

    /// The result of a report; nil while its beacons are in flight.
    package func result(of number: Int) -> Bool? {
        results[number]
    }

    /// Starts the report of an action; `finish` or `expect` must follow.
    mutating func begin(_ action: UserAction, message: String, at moment: Moment) -> Int {
        let number = nextNumber
        nextNumber += 1
        newest = UserReportView(number: number, action: action, at: moment, wasReported: nil, message: message)
        results[number - Self.remembered] = nil
        return number
    }

    /// Beacons are being sent; `settle` or `abandon` ends the report.
    mutating func expect(_ round: Int, for number: Int, target: String) {
        open[round] = Open(number: number, target: target)
        if newest?.number == number { newest?.message = "\(target) …" }
    }

    mutating func noteAnswer(_ answer: String, round: Int) {
        open[round]?.answer = answer
    }

    /// Ends the report after the last answer; returns its message.
    mutating func settle(_ round: Int, wasReported: Bool) -> String? {
        guard let report = open.removeValue(forKey: round) else { return nil }
        // Without an answer nothing was sent: what was, and is not answered, has its failure in the place of one.
        let message = report.answer.isEmpty ? "\(report.target); it did not leave" : "\(report.target) \(report.answer)"
        finish(report.number, wasReported: wasReported, message: message)
        return message
    }

    mutating func abandon() {
        for report in open.values {
            finish(report.number, wasReported: false, message: "\(report.target); answer unknown")
        }
        open = [:]
    }

    mutating func finish(_ number: Int, wasReported: Bool, message: String, isFailure: Bool = true) {
        results[number] = wasReported
        guard newest?.number == number else { return }
        newest?.wasReported = wasReported
        newest?.message = message
        newest?.isFailure = isFailure
    }
}

import AdTracking
import Ports

/// The viewer's actions of the session and what became of their beacons.
struct UserReports {
    /// Results remembered for callers that ask after the fact.
    static let remembered = 64

    private(set) var newest: UserReportView?
    private var results: [Int: Bool] = [:]
    private var nextNumber = 1

    /// The result of a report; nil while its beacons are in flight.
    func result(of number: Int) -> Bool? {
        results[number]
    }

    /// A new action; `finish` must follow, at once or with the last answer.
    mutating func begin(_ action: UserAction, message: String, at moment: Moment) -> Int {
        let number = nextNumber
        nextNumber += 1
        newest = UserReportView(number: number, action: action, at: moment, wasReported: nil, message: message)
        results[number - Self.remembered] = nil
        return number
    }

    mutating func finish(_ number: Int, wasReported: Bool, message: String) {
        results[number] = wasReported
        guard newest?.number == number else { return }
        newest?.wasReported = wasReported
        newest?.message = message
    }
}

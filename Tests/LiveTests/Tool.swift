import Foundation
import TestSupport

/// Runs programs of the system that some tests need.
enum Tool {
    /// The output of the program; nil when it failed.
    static func run(_ path: String, _ arguments: [String]) async throws -> [UInt8]? {
        let ending = try await ChildProcess(
            path, arguments, environment: ProcessInfo.processInfo.environment
        ).end()
        return ending.exit == .status(0) ? ending.output : nil
    }
}

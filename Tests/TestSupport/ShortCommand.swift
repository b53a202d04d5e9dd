import Foundation

/// A program that is run for what it does, or to see whether it can.
package enum ShortCommand {
    /// Runs a program to its end, and drops what it writes. False if it fails or is not there.
    /// - Parameter command: the path of the program, and its arguments.
    package static func succeeds(_ command: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        guard (try? process.run()) != nil else { return false }
        // To wait for the process alone would spin (Foundation's run loop has nothing to wait for).
        _ = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

import Glibc
import GrowthCases

/// How cost grows with what a server sends.
///
/// `GrowthBenchmarks [FILTER] [DOUBLINGS]` doubles the input of every case and prints the exponent;
/// `GrowthBenchmarks --largest [FILTER]` reads the largest document of every case, and fails if one takes too long.
@main
struct GrowthBenchmarks {
    static func main() {
        var arguments = CommandLine.arguments.dropFirst()
        let readsLargest = arguments.first == "--largest"
        if readsLargest { arguments = arguments.dropFirst() }
        let filter = arguments.first ?? ""
        let cases = GrowthCase.all.filter { filter.isEmpty || $0.name.contains(filter) }
        if readsLargest {
            let areInTime = cases.map(largest)
            guard areInTime.allSatisfy(\.self) else { exit(1) }
            return
        }
        let doublings = arguments.dropFirst().first.flatMap { Int($0) } ?? 3
        for growing in cases {
            let growth = Growth(growing, steps: doublings, repeats: 2, limit: 4)
            let points = growth.points.map { "\($0.size): \(milliseconds($0.seconds)) ms" }
            print("\(hundredths(growth.exponent))  \(growing.name)  \(points.joined(separator: ", "))")
        }
    }

    /// - Returns: whether the largest document of the case is read in time.
    private static func largest(_ growing: GrowthCase) -> Bool {
        guard let largest = growing.largest else { return true }
        let size = largest.size(from: growing.size)
        let seconds = Growth(growing, from: size, steps: 0, repeats: 2).points[0].seconds / Double(largest.readings)
        let isInTime = seconds <= largest.target
        let verdict = isInTime ? "" : "  over \(milliseconds(largest.target)) ms"
        print("\(milliseconds(seconds)) ms  \(growing.name)  \(size) in \(largest.limit >> 20) MiB\(verdict)")
        return isInTime
    }

    private static func milliseconds(_ seconds: Double) -> Double { (seconds * 10_000).rounded() / 10 }
    private static func hundredths(_ number: Double) -> Double { (number * 100).rounded() / 100 }
}

import GrowthCases

/// Doubles the input of every case and prints how its cost grows: `GrowthBenchmarks [FILTER] [DOUBLINGS]`.
@main
struct GrowthBenchmarks {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let filter = arguments.first ?? ""
        let doublings = arguments.dropFirst().first.flatMap { Int($0) } ?? 3
        for growing in GrowthCase.all where filter.isEmpty || growing.name.contains(filter) {
            let growth = Growth(growing, steps: doublings, repeats: 2, limit: 4)
            let points = growth.points.map { "\($0.size): \(milliseconds($0.seconds)) ms" }
            print("\(hundredths(growth.exponent))  \(growing.name)  \(points.joined(separator: ", "))")
        }
    }

    private static func milliseconds(_ seconds: Double) -> Double { (seconds * 10_000).rounded() / 10 }
    private static func hundredths(_ number: Double) -> Double { (number * 100).rounded() / 100 }
}

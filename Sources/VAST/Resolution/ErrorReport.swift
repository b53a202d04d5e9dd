/// An error URL with all failures that it learns of by one request. One failed ad behind a wrapper is a failure of each level, and several
/// ads behind it fail each by itself: a session that sends the URL sends it once (VAST-13).
package struct ErrorReport: Hashable, Sendable {
    /// The first of the failures. Another one differs at most in its cache buster.
    package var pixel: ErrorPixel
    /// The codes, each once, in the order of the failures.
    package var codes: [Int]
    /// The number of failures.
    package var failures: Int

    /// The error pixels with those that are one request joined.
    static func joined(_ pixels: [ErrorPixel]) -> [ErrorReport] {
        var reports: [ErrorReport] = []
        var places: [Key: Int] = [:]
        for pixel in pixels {
            let key = Key(pixel)
            guard let place = places[key] else {
                places[key] = reports.count
                reports.append(ErrorReport(pixel: pixel, codes: [pixel.code], failures: 1))
                continue
            }
            reports[place].failures += 1
            if !reports[place].codes.contains(pixel.code) { reports[place].codes.append(pixel.code) }
        }
        return reports
    }

    /// What distinguishes requests: a URL with the code in it is another one for each code.
    private struct Key: Hashable {
        var template: String
        var codes: [String]

        init(_ pixel: ErrorPixel) {
            template = pixel.template
            codes = pixel.macros.filter { $0.token.contains(MacroName.errorCode.rawValue) }.map(\.replacement)
        }
    }
}

extension ResolutionResult {
    /// The error URLs, each once, in the order in which they are first to be requested.
    package var errorReports: [ErrorReport] { ErrorReport.joined(pixels) }
}

package import Ports

/// The saved answers of one session in their order. What a running session makes of several answers is made of them here by the same
/// values, as far as it follows from answers alone: nothing is known of the stream, and what only its media place has no place.
package protocol SavedSession: Sendable {
    /// All that the answers listed, merged, on the provider's own clock.
    var breaks: [ListedBreak] { get }

    /// What gives breaks dates that have none in the answers.
    var placement: ListedPlacement { get }

    /// What is wrong with the answers, and with each after those before it; ``ListingLint`` has the findings of the result.
    var findings: [Finding] { get }

    /// Adds the next answer.
    /// - Parameter charset: encoding that the transport names; nil for a file. JSON is UTF-8 in any case (RFC 8259).
    /// - Returns: what this answer lists, and the request that follows it.
    mutating func add(_ bytes: [UInt8], charset: String?) throws(MetadataProblem) -> SavedAnswer
}

extension SavedSession {
    package var placement: ListedPlacement { ListedPlacement() }
}

/// Saved answers of a service each of which is read by itself; what they list is merged (PRV-9).
struct SavedListing: SavedSession {
    private let read: @Sendable ([UInt8], String?) throws(MetadataProblem) -> SavedAnswer
    private var listing = Listing()

    /// - Parameter read: reads one answer, in the encoding that the transport names.
    init(_ read: @escaping @Sendable ([UInt8], String?) throws(MetadataProblem) -> SavedAnswer) {
        self.read = read
    }

    var breaks: [ListedBreak] { listing.breaks }
    var findings: [Finding] { listing.findings }

    mutating func add(_ bytes: [UInt8], charset: String?) throws(MetadataProblem) -> SavedAnswer {
        let answer = try read(bytes, charset)
        listing.add(answer.listed)
        return answer
    }
}

/// A row of the creative view: which list of the ad it stands in, and its place there.
package enum CreativeItem: Hashable, Sendable {
    /// What the ad is.
    case ad
    case fact(Int)
    /// A request of the wrapper chain.
    case hop(Int)
    case media(Int)
    case companion(Int)
    case icon(Int)
    case verification(Int)
    /// What a rule found.
    case finding(Int)
    /// An error URL.
    case pixel(Int)
    /// Something else that the metadata says of the ad.
    case extra(Int)

    /// Whether both stand in one list of the ad.
    func isSameList(as other: CreativeItem) -> Bool {
        switch (self, other) {
        case (.ad, .ad), (.hop, .hop), (.media, .media), (.companion, .companion), (.icon, .icon),
            (.verification, .verification), (.finding, .finding), (.pixel, .pixel), (.extra, .extra):
            true
        // Each fact has a name of its own.
        default: false
        }
    }
}

/// A row of the creative view: the list of the ad it belongs to, and its index there.
package enum CreativeItem: Hashable, Sendable {
    /// The ad's name, id and times.
    case ad
    case fact(Int)
    /// A request of the wrapper chain.
    case hop(Int)
    case media(Int)
    case companion(Int)
    case icon(Int)
    case verification(Int)
    /// A finding of a rule.
    case finding(Int)
    /// An error URL.
    case pixel(Int)
    /// Another member that the metadata has for the ad.
    case extra(Int)

    /// Whether both belong to one list of the ad.
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

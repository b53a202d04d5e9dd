/// A VMAP 1.0 playlist: the times and sources of ad breaks.
package struct VMAPDocument: Hashable, Sendable {
    package var root: String
    package var namespace: String?
    package var version: String?
    /// The breaks in document order.
    package var breaks: [Break] = []
    package var position: SourcePosition
}

extension VMAPDocument {
    /// One `AdBreak` element.
    package struct Break: Hashable, Sendable {
        package var id: String?
        /// `timeOffset` as written; empty when missing.
        package var timeOffset: String
        package var offset: Offset
        /// Members of `breakType`: `linear`, `nonlinear`, `display`, or any other text as written.
        package var types: [String]
        package var repeatAfterMilliseconds: Int64?
        package var source: Source?
        /// Trackers of `breakStart`, `breakEnd` and `error`.
        package var tracking: [Tracking] = []
        package var extensions: [VASTDocument.Extension] = []
        package var position: SourcePosition
    }

    /// The position of a break in the content (VMAP-1).
    package enum Offset: Hashable, Sendable {
        case start, end
        case milliseconds(Int64)
        /// Percentage of the content's duration, 0 to 100.
        case percent(Double)
        /// The n-th break opportunity that the player knows, from 1.
        case position(Int)
        case invalid

        init(_ text: String) {
            switch text {
            case "start": self = .start
            case "end": self = .end
            default:
                if text.hasPrefix("#") {
                    let number = text.dropFirst()
                    let isNumber = !number.isEmpty && number.utf8.allSatisfy(\.isDigit)
                    self = (isNumber ? Int(number) : nil).flatMap { $0 >= 1 ? .position($0) : nil } ?? .invalid
                } else if text.hasSuffix("%") {
                    let share = ValueReader.percent(text.utf8.dropLast())
                    self = share.flatMap { $0 <= 100 ? .percent($0) : nil } ?? .invalid
                } else {
                    self = ValueReader.strictMilliseconds(text).map(Offset.milliseconds) ?? .invalid
                }
            }
        }
    }

    /// The source of a break's ads.
    package struct Source: Hashable, Sendable {
        package enum Content: Hashable, Sendable {
            /// An embedded document; `isText` when it was written as text.
            case vast(VASTDocument, isText: Bool)
            case tag(Link, templateType: String?)
            case custom(String, templateType: String?)
            /// There is no source, or it cannot be read.
            case missing
        }

        package var id: String?
        /// Nil, which means true, when the attribute is missing.
        package var allowMultipleAds: Bool?
        package var followRedirects: Bool?
        package var content: Content
        package var position: SourcePosition
    }
}

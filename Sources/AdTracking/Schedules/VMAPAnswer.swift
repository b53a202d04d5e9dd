package import Ports
import VAST

/// One answer in VMAP with times (PRV-27 to PRV-29).
package struct VMAPAnswer: Sendable {
    /// Breaks on the seconds of the programme; those without a usable time are left out.
    package let answer: ListedAnswer

    /// - Parameters:
    ///   - charset: encoding that the transport names.
    ///   - total: length of the programme in seconds; nil while unknown.
    package static func read(
        _ bytes: [UInt8], charset: String? = nil, total: ExactDecimal?
    ) throws(MetadataProblem) -> VMAPAnswer {
        let reading = VASTReader.read(bytes, charset: charset)
        guard let document = try reading.schedule() else {
            throw .other("is VAST without times instead of VMAP")
        }
        var reader = VMAPBreakReader()
        for entry in document.breaks {
            guard let start = moment(of: entry.timeOffset, total: total) else {
                reader.ignore(entry, total: total)
                continue
            }
            reader.add(entry, at: start)
        }
        let isUnited = reading.xml.tree?.extensionElement("unicornOnce", in: XMLTree.root) != nil
        if isUnited { reader.uniteBreaks() }
        reader.answer.separateBreaks()
        return VMAPAnswer(answer: reader.answer)
    }

    /// The seconds that a `timeOffset` means (PRV-27); nil without a meaning.
    static func moment(of offset: String, total: ExactDecimal?) -> ExactDecimal? {
        switch offset {
        case "start": return .zero
        case "end": return total
        default: return VMAPTime.moment(offset, of: total)
        }
    }
}

/// Times in VMAP and VAST: `HH:MM:SS.fff` or a percentage.
enum VMAPTime {
    /// - Parameter length: what a percentage is of; nil while unknown.
    static func moment(_ text: String, of length: ExactDecimal?) -> ExactDecimal? {
        guard text.hasSuffix("%") else { return text.contains(":") ? ListedTime.seconds(text: text) : nil }
        guard text.utf8.count < 32, let share = ExactDecimal(text.dropLast()), !share.isNegative,
            share <= ExactDecimal(100), let length
        else { return nil }
        return length.multiplied(by: share, dividedBy: ExactDecimal(100))
    }
}

extension VASTReading {
    /// The VMAP document, nil for VAST.
    /// - Throws: when it is neither, or damaged: a document that ends early has breaks that lost their ads.
    func schedule() throws(MetadataProblem) -> VMAPDocument? {
        if let problem = xml.problem {
            if problem.kind == .empty { throw .empty }
            let words = MetadataProblem.clipped(problem.message)
            switch MarkupKind(xml.text.bytes) {
            case .html: throw .otherKind("is HTML instead of VMAP")
            case .document("VMAP"), .document("VAST"): throw .other(words)
            case .document: throw .otherKind(words)
            }
        }
        switch content {
        case .vmap(let document): return document
        case .vast: return nil
        case nil:
            throw .otherKind("is \(MarkupKind(xml.text.bytes).noun) instead of VMAP")
        }
    }
}

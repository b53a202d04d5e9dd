import VAST

extension YospaceProvider {
    /// The breaks of a live stream have no times; records in the media place them, which ``YospaceQueue`` does.
    package static func saved(_ bytes: [UInt8], charset: String?) throws(MetadataProblem) -> SavedAnswer {
        let tree = VASTReader.read(bytes, charset: charset).xml.tree
        let isProgramme = tree?.extensionElement("Stream", in: XMLTree.root) != nil
        var answer = try YospaceDocument.read(bytes, charset: charset, isProgramme ? .programme(nil) : .records).answer
        guard !isProgramme else { return SavedAnswer(answer, nextMethod: nil) }
        for index in answer.breaks.indices {
            for ad in answer.breaks[index].ads.indices { answer.breaks[index].ads[ad].isPlanned = true }
        }
        return SavedAnswer(answer)
    }
}

import Ports

/// What a ledger knows of an event that no document lists any more.
extension Ledger.Entry: PackedRow {
    struct Common: Sendable {
        var owner: EventKey.Owner
        var place: EventPlacement.Ad
        /// The first URL: those of an ad differ in few characters.
        var url: String
    }

    /// Macros are those of ads that no document lists.
    var common: Common? {
        guard !placement.isPresent, macros == nil else { return nil }
        return Common(owner: key.owner, place: placement.place, url: delivery.urls.first?.url ?? "")
    }

    func shares(_ common: Common) -> Bool { key.owner == common.owner && placement.place == common.place }

    func write(to writer: inout PackedWriter, _ common: Common) {
        writer.write(case: type)
        writer.write(key.type, usual: type.rawValue)
        writer.write(key.start, since: common.owner.adStart)
        writer.write(placement.start, since: key.start)
        writer.write(isIdentified)
        writer.write(each: delivery.urls) { $1.write(to: &$0, like: common.url) }
        writer.write(each: shared) { $0.write($1, like: common.url) }
    }

    init(_ reader: inout PackedReader, of _: EventID, _ common: Common) {
        type = reader.value()
        let name = reader.text(usual: type.rawValue) ?? ""
        key = EventKey(of: common.owner, type: name, start: reader.time(since: common.owner.adStart))
        placement = EventPlacement(start: reader.time(since: key.start), of: common.place, isPresent: false)
        isIdentified = reader.flag()
        delivery = EventDelivery(urls: reader.each { URLDelivery(&$0, like: common.url) })
        shared = reader.each { $0.text(like: common.url) }
        macros = nil
    }
}

import Ports

/// What `adtop check` examines.
enum CheckedFile: Equatable {
    case bid(CheckedBid)
    case markup(String)

    /// - Parameters:
    ///   - place: named in errors.
    init(_ bytes: [UInt8], place: String) throws(CommandFailure) {
        guard let document = try? JSONReader.read(bytes), document.objectValue != nil else {
            // What is not a JSON object is markup, whatever it contains.
            self = .markup(String(decoding: bytes, as: UTF8.self))
            return
        }
        let other: String? =
            document["seatbid"] != nil || document["nbr"] != nil
            ? "response" : document["imp"]?.arrayValue != nil ? "request" : nil
        if let other {
            throw CommandFailure(.unreadable, "\(place): is a bid \(other); give one bid, an element of seatbid[].bid")
        }
        self = .bid(CheckedBid(json: document, place: place))
    }
}

/// The members of a bid that checks compare (OpenRTB 2.6 section 4.2.3). An auction treats a member of another type as absent
/// (`Bid`); here it is an error, because the check would pass without being made.
struct CheckedBid: Equatable {
    let json: JSONValue
    let place: String

    /// Nil for an absent member, as of the others; an empty list is absent, too.
    func texts(_ name: String) throws(CommandFailure) -> [String]? {
        try list(name, of: "strings", \.stringValue)
    }

    func numbers(_ name: String) throws(CommandFailure) -> [Int]? {
        try list(name, of: "integers") { $0.integerValue.map { Int($0) } }
    }

    func text(_ name: String) throws(CommandFailure) -> String? {
        guard let value = member(name) else { return nil }
        guard let text = value.stringValue else { throw failure(name, "a string") }
        return text.isEmpty ? nil : text
    }

    func number(_ name: String) throws(CommandFailure) -> Int? {
        guard let value = member(name) else { return nil }
        guard let number = value.integerValue else { throw failure(name, "an integer") }
        return Int(number)
    }

    private func list<Element>(
        _ name: String, of kind: String, _ element: (JSONValue) -> Element?
    ) throws(CommandFailure) -> [Element]? {
        guard let value = member(name) else { return nil }
        let elements = (value.arrayValue ?? []).compactMap(element)
        guard let count = value.arrayValue?.count, elements.count == count else {
            throw failure(name, "an array of \(kind)")
        }
        return elements.isEmpty ? nil : elements
    }

    private func member(_ name: String) -> JSONValue? {
        let value = json[name]
        return value == .null ? nil : value
    }

    private func failure(_ name: String, _ type: String) -> CommandFailure {
        CommandFailure(.unreadable, "\(place): \(name): not \(type), so it cannot be checked; correct the bid")
    }
}

package import Ports

/// A message from a plugin to the host (FMT-25). Messages are untrusted inputs; the host decides.
package enum PluginMessage: Sendable, Hashable {
    case ready(provider: String, capabilities: [AdFormat], bids: Bool = false, sizes: NamedSizes)
    case loaded(presenter: String, AdPayload)
    case failed(presenter: String, AdError)
    case state(presenter: String, AdState)
    case reward(presenter: String, Reward)
    /// The complete answer to a bid request, which the auction parses.
    case bid(request: String, JSONValue)
    case bye(reason: String)

    /// Why a line is not a message.
    package struct Problem: Error, Sendable, Hashable {
        /// The reason as a predicate, such as "has no type".
        package var message: String
    }

    /// The presenter that the message concerns; nil for the plugin itself.
    package var presenter: String? {
        switch self {
        case .ready, .bid, .bye: nil
        case .loaded(let presenter, _), .failed(let presenter, _), .state(let presenter, _), .reward(let presenter, _):
            presenter
        }
    }

    /// Parses one line. Nil for an unknown type, because later versions may have more.
    package static func read(_ line: some Collection<UInt8>) throws(Problem) -> PluginMessage? {
        let value: JSONValue
        do throws(JSONProblem) {
            value = try JSONReader.read(Array(line))
        } catch {
            throw Problem(message: "is not JSON: \(error.message) at column \(error.column)")
        }
        guard let type = value["type"]?.stringValue else { throw Problem(message: "has no type") }
        switch type {
        case "ready": return ready(value)
        case "loaded": return .loaded(presenter: try presenter(of: value), try payload(value))
        case "failed": return .failed(presenter: try presenter(of: value), failure(value))
        case "state":
            guard let state = value["state"]?.stringValue.flatMap(AdState.init) else {
                throw Problem(message: "has no known state")
            }
            return .state(presenter: try presenter(of: value), state)
        case "reward": return .reward(presenter: try presenter(of: value), try reward(value))
        case "bid":
            guard let request = value["request"]?.stringValue else { throw Problem(message: "has no request") }
            return .bid(request: request, value)
        case "bye": return .bye(reason: value["reason"]?.stringValue ?? "")
        default: return nil
        }
    }

    private static func ready(_ value: JSONValue) -> PluginMessage {
        let names = value["capabilities"]?.arrayValue?.compactMap(\.stringValue) ?? []
        return .ready(
            provider: value["provider"]?.stringValue ?? "", capabilities: names.compactMap(AdFormat.init),
            bids: names.contains(PluginManifest.bidCapability), sizes: NamedSizes(json: value["sizes"]))
    }

    private static func presenter(of value: JSONValue) throws(Problem) -> String {
        guard let name = value["presenter"]?.stringValue else { throw Problem(message: "has no presenter") }
        return name
    }

    private static func failure(_ value: JSONValue) -> AdError {
        let reason = value["error"]?.stringValue.flatMap(AdError.Case.init) ?? .internalError
        return AdError(reason, value["detail"]?.stringValue ?? "the plugin stated no reason")
    }

    private static func reward(_ value: JSONValue) throws(Problem) -> Reward {
        guard let name = value["name"]?.stringValue, !name.isEmpty,
            let amount = value["amount"]?.integerValue.flatMap(Int.init(exactly:)), amount > 0
        else { throw Problem(message: "has no name and positive amount") }
        return Reward(name: name, amount: amount)
    }

    private static func payload(_ value: JSONValue) throws(Problem) -> AdPayload {
        guard let surface = value["surface"], var payload = AdPayload(surface: surface) else {
            throw Problem(message: "has no surface with html, url, vast or native")
        }
        if let size = PixelSize(json: value["size"]) { payload.size = size }
        return payload
    }
}

extension AdPayload {
    /// Parses an object with one of `html`, `url`, `vast` (strings) or `native` (an object or string), and optional
    /// `size`, `refresh` (seconds), `rwdd` and `nativeRequest`.
    package init?(surface: JSONValue) {
        if let markup = surface["html"]?.stringValue {
            self.init(body: Array(markup.utf8), contentType: "text/html")
        } else if let url = surface["url"]?.stringValue {
            self.init(body: Array(url.utf8), contentType: "text/html")
            isAddress = true
        } else if let document = surface["vast"]?.stringValue {
            self.init(body: Array(document.utf8), contentType: "application/xml")
        } else if let native = surface["native"] {
            self.init(body: Array((native.stringValue ?? native.text()).utf8), contentType: "application/json")
        } else {
            return nil
        }
        size = PixelSize(json: surface["size"])
        refreshSeconds = surface["refresh"]?.integerValue
        rewardRules = surface["rwdd"]
        nativeRequest = surface["nativeRequest"]
    }
}

extension NamedSizes {
    /// Most entries of an object.
    private static let maximumEntries = 64

    /// Parses an object with `[w, h]` by name; invalid sizes are dropped.
    package init(json: JSONValue?) {
        var sizes: [String: PixelSize] = [:]
        for member in (json?.objectValue?.members ?? []).prefix(Self.maximumEntries) {
            sizes[member.name] = PixelSize(json: member.value)
        }
        self.init(sizes)
    }
}

package import Ports

/// OpenRTB Native 1.2 markup as written, with its problems (FMT-22).
package struct NativeMarkup: Sendable, Hashable {
    /// An image asset.
    package struct Image: Sendable, Hashable {
        package var url: String
        package var width: Int?
        package var height: Int?

        /// For example `80x80`; empty when unknown.
        package var sizeText: String { width.flatMap { w in height.map { "\(w)x\($0)" } } ?? "" }
    }

    package struct EventTracker: Sendable, Hashable {
        /// 1 is impression, 2 viewable at 50 %, 3 viewable at 100 %, 4 video viewable at 50 %.
        package var event: Int
        /// 1 is an image, 2 a script, which is never run.
        package var method: Int
        package var url: String
    }

    /// Most entries read from each array.
    static let maximumEntries = 64

    package var title: String?
    package var description: String?
    package var rating: String?
    package var icon: Image?
    package var image: Image?
    package var buttonText: String?
    package var clickURL: String?
    package var fallbackURL: String?
    package var clickTrackers: [String] = []
    package var impressionTrackers: [String] = []
    package var eventTrackers: [EventTracker] = []
    package var scriptTracker: String?
    package var privacyURL: String?
    package var version: String?
    /// `missingRequiredAsset:5`, `missingLink`, `titleTooLong:14>5`, …
    package var warnings: [String] = []
    /// Whether it cannot be shown; the warnings contain the reason.
    package var isInvalid = false

    /// Trackers that need a script, which is never run.
    package var unsupportedTrackers: [String] {
        eventTrackers.filter { $0.method != 1 }.map(\.url) + [scriptTracker].compactMap(\.self)
    }

    /// Parses an object, or a string that contains one; before version 1.1 it is wrapped in `native`.
    ///
    /// - Parameter request: the request, which states the types of assets; nil reads types from the assets.
    package init(_ response: JSONValue, request: JSONValue?) {
        let request = NativeRequest(request)
        guard let root = Self.root(response) else {
            warnings = ["notAnObject"]
            isInvalid = true
            return
        }
        version = root["ver"]?.stringValue
        let assets = (root["assets"]?.arrayValue ?? []).prefix(Self.maximumEntries)
        for asset in assets { read(asset, request) }
        let answered = Set(assets.filter(Self.hasContent).compactMap { $0["id"]?.integerValue })
        for id in request.required where !answered.contains(id) {
            warnings.append("missingRequiredAsset:\(id)")
            isInvalid = true
        }
        readLink(root["link"])
        readTrackers(root)
    }

    /// Whether an asset has what its kind consists of (OpenRTB Native 1.2 sections 5.3 to 5.6): one without is as good as missing.
    private static func hasContent(_ asset: JSONValue) -> Bool {
        let contents = [
            asset["title"]?["text"], asset["img"]?["url"], asset["data"]?["value"], asset["video"]?["vasttag"],
        ]
        return contents.contains { text($0)?.isEmpty == false }
    }

    /// The object that contains the assets, of a request or an answer; nil when there is none.
    fileprivate static func root(_ response: JSONValue) -> JSONValue? {
        var root = response
        if case .string(let text) = response {
            guard let inner = try? JSONReader.read(text) else { return nil }
            root = inner
        }
        guard root.objectValue != nil else { return nil }
        if let wrapped = root["native"], wrapped.objectValue != nil { return wrapped }
        return root
    }

    private mutating func read(_ asset: JSONValue, _ request: NativeRequest) {
        let id = asset["id"]?.integerValue
        let asked = id.flatMap { request.assets[$0] }
        if let id, asked == nil, !request.assets.isEmpty { warnings.append("unrequestedAsset:\(id)") }
        if let text = asset["title"]?["text"]?.stringValue {
            title = title ?? text
            if let limit = asked?.titleLength, text.count > limit {
                warnings.append("titleTooLong:\(text.count)>\(limit)")
            }
        } else if let image = asset["img"] {
            let type = image["type"]?.integerValue ?? asked?.imageType
            // The first warning explains a type that only the request could state.
            if type != nil || asked != nil || request.assets.isEmpty { read(image: image, type: type) }
        } else if let data = asset["data"], let value = Self.text(data["value"]) {
            let type = data["type"]?.integerValue ?? asked?.dataType
            if type != nil || asked != nil || request.assets.isEmpty { read(data: value, type: type) }
        }
    }

    private mutating func read(image: JSONValue, type: Int64?) {
        guard let url = image["url"]?.stringValue, !url.isEmpty else { return }
        let value = Image(
            url: url, width: image["w"]?.integerValue.flatMap(Int.init(exactly:)),
            height: image["h"]?.integerValue.flatMap(Int.init(exactly:)))
        switch type {
        case 1: icon = icon ?? value
        case 3: self.image = self.image ?? value
        default: warnings.append("unknownImageType")
        }
    }

    private mutating func read(data value: String, type: Int64?) {
        switch type {
        case 2: description = description ?? value
        case 3: rating = rating ?? value
        case 12: buttonText = buttonText ?? value
        // The standard defines further data types, which none of the six fields shows.
        case .some(1...11): break
        default: warnings.append("unknownDataType")
        }
    }

    private mutating func readLink(_ link: JSONValue?) {
        clickURL = link?["url"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        fallbackURL = link?["fallback"]?.stringValue
        clickTrackers = trackers(link?["clicktrackers"])
        for url in [clickURL, fallbackURL].compactMap(\.self) {
            guard let scheme = LandingURL.forbiddenScheme(url) else { continue }
            warnings.append("linkScheme:\(scheme)")
            isInvalid = true
        }
        if clickURL == nil {
            warnings.append("missingLink")
            isInvalid = true
        }
    }

    private mutating func readTrackers(_ root: JSONValue) {
        impressionTrackers = trackers(root["imptrackers"])
        scriptTracker = root["jstracker"]?.stringValue
        privacyURL = root["privacy"]?.stringValue
        for entry in (root["eventtrackers"]?.arrayValue ?? []).prefix(Self.maximumEntries) {
            guard let event = entry["event"]?.integerValue.flatMap(Int.init(exactly:)),
                let method = entry["method"]?.integerValue.flatMap(Int.init(exactly:)),
                let url = entry["url"]?.stringValue, !url.isEmpty
            else {
                warnings.append("incompleteTracker")
                continue
            }
            if !LandingURL.isRequestable(url) { warnings.append(Self.badTracker(url)) }
            eventTrackers.append(EventTracker(event: event, method: method, url: url))
        }
    }

    /// The trackers of an array; those that cannot be requested have a warning.
    private mutating func trackers(_ value: JSONValue?) -> [String] {
        let urls = Self.texts(value)
        for url in urls where !LandingURL.isRequestable(url) { warnings.append(Self.badTracker(url)) }
        return urls
    }

    private static func badTracker(_ url: String) -> String { "badTracker:\(url.prefix(80))" }

    /// Ratings may be numbers, too.
    private static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text
        case .integer, .double: value?.text()
        default: nil
        }
    }

    private static func texts(_ value: JSONValue?) -> [String] {
        (value?.arrayValue ?? []).prefix(maximumEntries).compactMap(\.stringValue).filter { !$0.isEmpty }
    }
}

/// The assets that a native request specifies.
struct NativeRequest: Sendable, Hashable {
    struct Asset: Sendable, Hashable {
        var titleLength: Int?
        var imageType: Int64?
        var dataType: Int64?
    }

    var assets: [Int64: Asset] = [:]
    /// Ids of the required assets, in the order of the request.
    var required: [Int64] = []

    /// Parses an object, or a string that contains one, as `request` of an imp is; before version 1.1 it is wrapped in `native`.
    init(_ request: JSONValue?) {
        let root = request.flatMap(NativeMarkup.root)
        for entry in (root?["assets"]?.arrayValue ?? []).prefix(NativeMarkup.maximumEntries) {
            guard let id = entry["id"]?.integerValue else { continue }
            assets[id] = Asset(
                titleLength: entry["title"]?["len"]?.integerValue.flatMap(Int.init(exactly:)),
                imageType: entry["img"]?["type"]?.integerValue, dataType: entry["data"]?["type"]?.integerValue)
            if entry["required"]?.integerValue == 1 { required.append(id) }
        }
    }
}

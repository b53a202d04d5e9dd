import Ports

/// Converts the ad marker tags of all dialects to cue points (HLS-22).
enum CueTagReader {
    /// Returns nil when the tag contains nothing to keep. The caller sets `sequence`, `date` and `offset` later.
    static func read(_ tag: PlaylistTag, _ value: ByteView, context: inout ParseContext) -> CuePoint? {
        var point = CuePoint(kind: .scte35, tag: tag.rawValue, sequence: 0, line: context.line)
        switch tag {
        case .cueOut: readOut(value, into: &point, context: &context)
        case .cueOutCont: readCont(value, into: &point, context: &context)
        case .cueIn:
            point.kind = .in
            let list = CueAttributes(value)
            point.id = list["ID"]?.string
            point.scte35 = payload(list, "SCTE35", "CUE", context: &context)
        case .cueSpan: readSpan(value, into: &point)
        case .oatcls: point.scte35 = context.splice(value.unquoted, from: "EXT-OATCLS-SCTE35")?.section
        case .splicepoint: readSplicepoint(value, into: &point, context: &context)
        case .asset: readAsset(value, into: &point)
        case .scte35: readSCTE35(value, into: &point, context: &context)
        case .cue: return readCue(value, point, context: &context)
        case .cueCont:
            let list = CueAttributes(value)
            point.kind = .cont
            point.id = list["ID"]?.string
            point.elapsed = list.seconds("AVAIL-DUR-ELAPSED")
            point.duration = list.seconds("DURATION")
        default: return nil
        }
        return point
    }

    /// Reads `30.000`, `DURATION=120`, `DURATION=366,ID=…,CUE="b64"`, an empty value, or a number followed by
    /// attributes.
    private static func readOut(_ value: ByteView, into point: inout CuePoint, context: inout ParseContext) {
        let list = CueAttributes(value)
        point.kind = .out
        point.duration = list.bare.flatMap { DecimalNumber.seconds($0) } ?? list.seconds("DURATION")
        point.id = list["ID"]?.string
        point.scte35 = payload(list, "CUE", "SCTE35", context: &context)
        // An event that is named may be known from elsewhere.
        if !value.isEmpty, point.duration == nil, point.id == nil, list["CUE"] ?? list["SCTE35"] == nil {
            context.report(.cueMalformed, "EXT-X-CUE-OUT:\(value.excerpt) has no duration")
        }
    }

    /// Reads `8.308/30`, a single number (the elapsed time), or `ElapsedTime=5.939,Duration=201.467,SCTE35=b64`.
    private static func readCont(_ value: ByteView, into point: inout CuePoint, context: inout ParseContext) {
        let list = CueAttributes(value)
        point.kind = .cont
        if let bare = list.bare {
            let slash = bare.firstIndex(of: UInt8(ascii: "/"))
            point.elapsed = DecimalNumber.seconds(bare.prefix(slash ?? bare.count).trimmed)
            point.duration = slash.flatMap { DecimalNumber.seconds(bare.dropFirst($0 + 1).trimmed) }
        }
        point.elapsed = point.elapsed ?? list.seconds("ELAPSEDTIME")
        point.duration = point.duration ?? list.seconds("DURATION")
        point.id = list["ID"]?.string
        point.scte35 = payload(list, "SCTE35", "CUE", context: &context)
    }

    /// Reads `TIMEFROMSIGNAL=PT30S,ID=…`.
    private static func readSpan(_ value: ByteView, into point: inout CuePoint) {
        let list = CueAttributes(value)
        point.kind = .cont
        point.id = list["ID"]?.string
        point.elapsed = list["TIMEFROMSIGNAL"].flatMap(isoSeconds)
    }

    /// The seconds of an ISO 8601 duration such as `PT1H2M30.5S`.
    static func isoSeconds(_ text: ByteView) -> Duration? {
        guard text.hasPrefix("PT"), text.count > 2 else { return nil }
        var rest = text.dropFirst(2)
        var total = Duration.zero
        for (unit, seconds) in [(UInt8(ascii: "H"), 3_600), (UInt8(ascii: "M"), 60), (UInt8(ascii: "S"), 1)] {
            guard let end = rest.firstIndex(of: unit) else { continue }
            guard let number = DecimalNumber.seconds(rest.prefix(end)) else { return nil }
            total += number * seconds
            rest = rest.dropFirst(end + 1)
        }
        return rest.isEmpty ? total : nil
    }

    private static func readAsset(_ value: ByteView, into point: inout CuePoint) {
        let list = CueAttributes(value)
        point.kind = .asset
        point.id = list["CAID"]?.string
        point.attributes = list.items.map { CuePoint.Attribute(name: $0.name.string, value: $0.value.string) }
    }

    /// Reads `CUE="b64",CUE-OUT=YES|CONT,CUE-IN=YES,ID,DURATION,ELAPSED`.
    private static func readSCTE35(_ value: ByteView, into point: inout CuePoint, context: inout ParseContext) {
        let list = CueAttributes(value)
        if let out = list["CUE-OUT"], out == "CONT" {
            point.kind = .cont
        } else if let out = list["CUE-OUT"], out == "YES" {
            point.kind = .out
        } else if let back = list["CUE-IN"], back == "YES" {
            point.kind = .in
        }
        point.id = list["ID"]?.string
        point.duration = list.seconds("DURATION")
        point.elapsed = list.seconds("ELAPSED")
        point.scte35 = payload(list, "CUE", context: &context)
    }

    /// Only the payload shows whether a break starts or ends here.
    private static func readSplicepoint(_ value: ByteView, into point: inout CuePoint, context: inout ParseContext) {
        guard let splice = context.splice(value.unquoted, from: "EXT-X-SPLICEPOINT-SCTE35") else { return }
        point.scte35 = splice.section
        let signals = splice.info.breakSignals
        guard let signal = signals.first else { return }
        if signals.count > CuePoint.signalLimit {
            context.report(
                .limitReached, "a message about \(signals.count) breaks and ads; \(CuePoint.signalLimit) of them count")
        }
        switch signal {
        case .start(let duration, let id):
            point.kind = .out
            point.duration = duration
            point.id = id
        case .end(let id):
            point.kind = .in
            point.id = id
        }
    }

    /// Reads `TYPE=SpliceOut|SpliceIn|SpliceInsert,ID,TIME=pts,DURATION,…` with optional quotes; a duration of 0 is
    /// unknown. With TYPE=scte35 the payload shows whether a break starts or ends, and ELAPSED that it continues.
    private static func readCue(_ value: ByteView, _ point: CuePoint, context: inout ParseContext) -> CuePoint? {
        let list = CueAttributes(value)
        var point = point
        let duration = list.seconds("DURATION").announced
        switch list["TYPE"]?.string.lowercased() {
        case "spliceout": point.kind = .out
        case "splicein": point.kind = .in
        case "spliceinsert": point.kind = .insert
        case "scte35":
            guard let text = list["CUE"] else {
                context.report(.cueMalformed, "EXT-X-CUE:\(value.excerpt) has no message in CUE")
                return nil
            }
            guard let splice = context.splice(text, from: "CUE") else { return nil }
            point.elapsed = list.seconds("ELAPSED")
            switch splice.info.breakSignals.first {
            case .start: point.kind = point.elapsed == nil ? .out : .cont
            case .end: point.kind = .in
            case nil: break
            }
        default:
            context.report(.cueMalformed, "EXT-X-CUE:\(value.excerpt) has no known TYPE")
            return nil
        }
        point.id = list["ID"]?.string
        point.duration = duration
        point.scte35 = payload(list, "SCTE35", "CUE", context: &context)
        return point
    }

    private static func payload(
        _ list: CueAttributes, _ names: StaticString..., context: inout ParseContext
    ) -> [UInt8]? {
        for name in names {
            if let text = list[name], !text.isEmpty { return context.splice(text, from: name)?.section }
        }
        return nil
    }
}

/// The attribute lists of ad marker tags. They differ from other attribute lists: quotes are optional, names may have
/// any case, and a value may have no name.
struct CueAttributes {
    /// The items in order; values without quotes.
    private(set) var items: [(name: ByteView, value: ByteView)] = []
    /// The first item, when it has no name.
    private(set) var bare: ByteView?

    /// Parses the text after the colon of a tag; malformed items are skipped.
    init(_ text: ByteView) {
        var index = 0
        while index < text.count, items.count < PlaylistLimits.attributes {
            let end = Self.endOfItem(in: text, from: index)
            read(text.slice(index, end).trimmed, isFirst: index == 0)
            index = end + 1
        }
    }

    private mutating func read(_ item: ByteView, isFirst: Bool) {
        // An item that starts with a digit is a number, even if a later character is an equals sign.
        if let equals = item.firstIndex(of: UInt8(ascii: "=")), !item[0].isDigit {
            items.append((item.prefix(equals).trimmed, item.dropFirst(equals + 1).trimmed.unquoted))
        } else if isFirst, !item.isEmpty {
            bare = item.unquoted
        }
    }

    /// Position of the next comma outside quotes, or the end.
    private static func endOfItem(in text: ByteView, from start: Int) -> Int {
        var isQuoted = false
        var index = start
        while index < text.count {
            if text[index] == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if text[index] == UInt8(ascii: ","), !isQuoted {
                return index
            }
            index += 1
        }
        return text.count
    }

    /// The last value named `name`, which is in upper case; the case of names in the list is ignored.
    subscript(name: StaticString) -> ByteView? {
        items.last { $0.name.equalsIgnoringCase(name) }?.value
    }

    /// The value in seconds; nil when absent or not a number.
    func seconds(_ name: StaticString) -> Duration? {
        self[name].flatMap { DecimalNumber.seconds($0) }
    }
}

extension ByteView {
    /// The view without one surrounding pair of quotes.
    var unquoted: ByteView {
        guard count >= 2, self[0] == UInt8(ascii: "\""), self[count - 1] == UInt8(ascii: "\"") else { return self }
        return slice(1, count - 1)
    }

    /// Compares without regard to case; `name` is in upper case.
    func equalsIgnoringCase(_ name: StaticString) -> Bool {
        guard count == name.utf8CodeUnitCount else { return false }
        return bytes.enumerated().allSatisfy { index, byte in
            let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            return (isLower ? byte - 0x20 : byte) == name.utf8Start[index]
        }
    }
}

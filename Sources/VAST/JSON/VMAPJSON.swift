package import Ports

extension VMAPDocument {
    /// A document of kind `vmap`.
    package var json: JSONValue {
        [
            "kind": "vmap", "root": .string(root), "namespace": .optional(namespace), "version": .optional(version),
            "breaks": .list(breaks, \.json),
        ]
    }
}

extension VMAPSchedule {
    /// The breaks by time, and those without a time.
    package var json: JSONValue {
        func indices(_ list: [Int]) -> JSONValue { .array(list.map { .integer(Int64($0)) }) }
        return [
            "stops": .list(stops) {
                [
                    "at_ms": .optional($0.atMilliseconds), "position": .string($0.position.rawValue),
                    "breaks": indices($0.breaks), "occurrence": .integer(Int64($0.occurrence)),
                ]
            },
            "by_opportunity": .list(byOpportunity) {
                ["number": .integer(Int64($0.number)), "break": .integer(Int64($0.index))]
            },
            "unplaced": indices(unplaced), "invalid": indices(invalid), "cut": indices(cut),
        ]
    }
}

extension VMAPDocument.Break {
    fileprivate var json: JSONValue {
        var (milliseconds, percent, position): (Int64?, Double?, Int?)
        switch offset {
        case .milliseconds(let value): milliseconds = value
        case .percent(let value): percent = value
        case .position(let value): position = value
        case .start, .end, .invalid: break
        }
        return [
            "id": .optional(id), "time_offset": .string(timeOffset), "offset_type": .string(offset.typeName),
            "offset_ms": .optional(milliseconds), "offset_percent": .optional(percent),
            "offset_position": .optional(position), "break_types": .texts(types),
            "repeat_after_ms": .optional(repeatAfterMilliseconds), "source": .optional(source, \.json),
            "tracking": .byEvent(tracking), "extensions": .list(extensions, \.json),
        ]
    }
}

extension VMAPDocument.Offset {
    /// The `offset_type`.
    package var typeName: String {
        switch self {
        case .start: "start"
        case .end: "end"
        case .milliseconds: "time"
        case .percent: "percent"
        case .position: "position"
        case .invalid: "invalid"
        }
    }
}

extension VMAPDocument.Source {
    fileprivate var json: JSONValue {
        var (kind, template, uri, custom): (String?, String?, String?, String?)
        var document: JSONValue = .null
        switch content {
        case .vast(let vast, _): (kind, document) = ("vast", vast.json)
        case .tag(let link, let templateType): (kind, uri, template) = ("tag", link.url, templateType)
        case .custom(let text, let templateType): (kind, custom, template) = ("custom", text, templateType)
        case .missing: break
        }
        return [
            "id": .optional(id), "kind": .optional(kind), "allow_multiple_ads": .optional(allowMultipleAds),
            "follow_redirects": .optional(followRedirects), "template_type": .optional(template),
            "ad_tag_uri": .optional(uri), "custom_data": .optional(custom), "vast": document,
        ]
    }
}

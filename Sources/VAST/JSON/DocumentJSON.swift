package import Ports

extension VASTReading {
    /// `outcome`, `error_code`, `document` (or `lenient_document` when only a lenient reader can show it), `extras`
    /// (rewards and end cards of the ads that have any), `lint` and `findings`.
    package func json(findings: [Finding]) -> JSONValue {
        var object = JSONObject()
        object.append("outcome", .string(outcome.rawValue))
        object.append("error_code", .optional(errorCode))
        if let content {
            let isShown = isGood || outcome == .unsupportedVersion
            object.append(isShown ? "document" : "lenient_document", content.json)
        }
        let extras = (vast?.ads ?? []).compactMap(\.extrasJSON)
        if !extras.isEmpty { object.append("extras", .array(extras)) }
        var names: [String] = []
        for finding in findings where !names.contains(finding.rule) { names.append(finding.rule) }
        object.append("lint", .texts(names))
        object.append("findings", .list(findings, \.json))
        return .object(object)
    }
}

extension Finding {
    /// One finding with all its fields.
    fileprivate var json: JSONValue {
        [
            "rule": .string(rule), "severity": .string(severity.rawValue), "message": .string(message),
            "line": .optional(line), "column": .optional(column), "path": .optional(path),
            "section": .optional(section),
        ]
    }
}

extension VASTReading.Content {
    /// The `document` member.
    package var json: JSONValue {
        switch self {
        case .vast(let document): document.json
        case .vmap(let document): document.json
        }
    }
}

extension VASTDocument {
    /// A document of kind `vast`.
    package var json: JSONValue {
        var object = JSONObject()
        object.append("kind", "vast")
        object.append("root", .string(root))
        object.append("namespace", .optional(namespace))
        object.append("version", .optional(version))
        object.append("errors", .urls(errors))
        object.append("ads", .list(ads, \.json))
        if let legacyAds { object.append("legacy_ads", .list(legacyAds, \.json)) }
        return .object(object)
    }
}

extension VASTDocument.LegacyAd {
    fileprivate var json: JSONValue {
        [
            "id": .optional(id), "type": isWrapper ? "wrapper" : "inline", "system": .optional(system),
            "title": .optional(title), "impressions": .urls(impressions),
            "duration_ms": .list(durations) { .optional($0) }, "media_files": .urls(mediaFiles),
            "tracking_events": .texts(trackingEvents), "companions": .integer(Int64(companions)),
            "nonlinears": .integer(Int64(nonLinears)),
        ]
    }
}

extension VASTDocument.Ad {
    /// An entry of `ads`.
    package var json: JSONValue {
        [
            "id": .optional(id), "sequence": .optional(sequence), "ad_type": .optional(adType),
            "conditional": .optional(isConditional), "type": wrapper == nil ? "inline" : "wrapper",
            "system": .optional(system) { ["name": .string($0.name), "version": .optional($0.version)] },
            "title": .optional(title), "description": .optional(description),
            "advertiser": .optional(advertiser) { ["name": .string($0.name), "id": .optional($0.id)] },
            "pricing": .optional(pricing, \.json),
            "surveys": .list(surveys) { ["url": .string($0.url), "type": .optional($0.type)] },
            "ad_serving_id": .optional(adServingID), "expires_s": .optional(expiresSeconds),
            "categories": .list(categories, \.json), "blocked_categories": .list(blockedCategories, \.json),
            "impressions": .links(impressions), "errors": .urls(errors),
            "viewable_impressions": .list(viewableImpressions) {
                [
                    "id": .optional($0.id), "viewable": .urls($0.viewable), "not_viewable": .urls($0.notViewable),
                    "view_undetermined": .urls($0.viewUndetermined),
                ]
            },
            "verifications": .list(verifications, \.json), "extensions": .list(extensions, \.json),
            "wrapper": .optional(wrapper) {
                [
                    "vast_ad_tag_uri": .optional($0.adTagURI?.url),
                    "follow_additional_wrappers": .bool($0.followAdditionalWrappers),
                    "allow_multiple_ads": .bool($0.allowMultipleAds), "fallback_on_no_ad": .optional($0.fallbackOnNoAd),
                ]
            },
            "creatives": .list(creatives, \.json),
        ]
    }
}

extension VASTDocument.Pricing {
    /// The price as written.
    var json: JSONValue {
        ["value": .string(value), "model": .optional(model), "currency": .optional(currency)]
    }
}

extension VASTDocument.Category {
    fileprivate var json: JSONValue { ["authority": .optional(authority), "value": .string(value)] }
}

extension VASTDocument.Verification {
    /// An entry of `verifications`.
    var json: JSONValue {
        [
            "vendor": .optional(vendor),
            "resources": .list(resources) {
                [
                    "kind": .string($0.kind.rawValue), "url": .string($0.url),
                    "api_framework": .optional($0.apiFramework),
                    "type": .optional($0.type), "browser_optional": .optional($0.isBrowserOptional),
                ]
            },
            "parameters": .optional(parameters), "tracking": .byEvent(tracking),
            "from_extension": .bool(isFromExtension),
        ]
    }
}

extension VASTDocument.Extension {
    /// An entry of `extensions` or `creative_extensions`.
    var json: JSONValue {
        [
            "type": .optional(type),
            "attributes": .object(
                JSONObject(attributes.map { JSONObject.Member(name: $0.name, value: .string($0.value)) })),
            "text": .optional(text), "children": .texts(children),
        ]
    }
}

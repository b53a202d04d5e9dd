package import Ports

extension WrapperResolution {
    /// `outcome`, `error_code`, every request with its result, the ads merged over all levels, and the error pixels
    /// requested on the way.
    package var json: JSONValue {
        let result = result
        return [
            "schema": "adtop-vast-resolution/1", "tag": .string(tag), "outcome": result.isOK ? "ok" : "error",
            "error_code": .optional(result.failure?.code), "message": .optional(result.failure?.message),
            "requests": .list(responses, \.json), "pod": .list(result.pod, \.json),
            "standalone": .list(result.standalone, \.json),
            "pixels": .list(result.errorReports) {
                [
                    "url": .string($0.pixel.url), "code": .integer(Int64($0.pixel.code)),
                    "ad": .optional($0.pixel.adID),
                    "template": .string($0.pixel.template), "macros": .list($0.pixel.macros, \.json),
                    "codes": .array($0.codes.map { .integer(Int64($0)) }), "failures": .integer(Int64($0.failures)),
                ]
            },
            "findings": .list(result.findings) {
                ["rule": .string($0.rule), "severity": .string($0.severity.rawValue), "message": .string($0.message)]
            },
        ]
    }
}

extension Response {
    fileprivate var json: JSONValue {
        [
            "id": .integer(Int64(id)), "parent": .optional(parent?.response), "depth": .integer(Int64(chain.count)),
            "url": .optional(url), "template": .string(template), "macros": .list(macros, \.json),
            "status": .optional(status),
            "bytes": .optional(byteCount), "version": .optional(reading?.vast?.version),
            "ads": .texts(slots.map { $0.ad.id ?? "" }), "error_code": .optional(failure?.code),
            "message": .optional(failure?.message),
        ]
    }
}

extension ResolvedAd {
    /// Lists are ordered from the outermost wrapper to the inline ad.
    package var json: JSONValue {
        var object = JSONObject()
        object.append("id", .optional(ad.id))
        object.append("sequence", .optional(sequence))
        object.append("chain", .texts(chain.map { $0.ad.id ?? "" }))
        object.append("title", .optional(ad.title))
        object.append("duration_ms", .optional(durationMilliseconds))
        object.append("impressions", .urls(impressions.map(\.value)))
        object.append("errors", .urls(errors.map(\.value)))
        object.append("pricing", .optional(pricing?.value, \.json))
        object.append("viewable", .urls(viewableImpressions.flatMap(\.value.viewable)))
        object.append("verifications", .list(verifications, \.value.json))
        object.append("extensions", .list(extensions, \.value.json))
        object.append("linears", .list(linears, \.json))
        object.append("nonlinears", .list(nonLinears) { ["tracking": .byEvent($0.tracking.map(\.value))] })
        object.append("companions", .list(companionAds.flatMap(\.value.companions), \.json))
        return .object(object)
    }
}

extension ResolvedAd.Linear {
    fileprivate var json: JSONValue {
        [
            "tracking": .byEvent(tracking.map(\.value)), "progress": .list(progress, \.value.json),
            "skip_offset_ms": .optional(linear.skipOffsetMilliseconds),
            "click_through": .optional(clickThrough?.value.url), "click_tracking": .urls(clickTracking.map(\.value)),
            "custom_clicks": .urls(customClicks.map(\.value)), "media_files": .list(linear.mediaFiles, \.json),
            "icons": .list(icons, \.value.json),
        ]
    }
}

package import Ports

extension VASTDocument.Creative {
    /// An entry of `creatives`.
    var json: JSONValue {
        var object = JSONObject()
        object.append("type", .string(typeName))
        object.append("id", .optional(id))
        object.append("ad_id", .optional(adID))
        object.append("sequence", .optional(sequence))
        object.append("api_framework", .optional(apiFramework))
        object.append(
            "universal_ad_ids",
            .list(universalAdIDs) {
                ["registry": .optional($0.registry), "value": .string($0.value), "id_value": .optional($0.idValue)]
            })
        object.append("creative_extensions", .list(extensions, \.json))
        for member in contentMembers { object.append(member.name, member.value) }
        return .object(object)
    }

    /// `linear`, `nonlinear` or `companion`.
    package var typeName: String {
        switch content {
        case .linear: "linear"
        case .nonLinear: "nonlinear"
        case .companions: "companion"
        }
    }

    private var contentMembers: [JSONObject.Member] {
        let value: JSONValue =
            switch content {
            case .linear(let linear): linear.json
            case .nonLinear(let ads):
                ["tracking": .byEvent(ads.tracking), "nonlinears": .list(ads.nonLinears, \.json)]
            case .companions(let ads):
                ["required": .optional(ads.required), "companions": .list(ads.companions, \.json)]
            }
        return value.objectValue?.members ?? []
    }
}

extension VASTDocument.Linear {
    fileprivate var json: JSONValue {
        [
            "duration_ms": .optional(durationMilliseconds), "skip_offset": .optional(skipOffset),
            "skip_offset_ms": .optional(skipOffsetMilliseconds), "ad_parameters": .optional(adParameters, \.json),
            "tracking": .byEvent(tracking), "progress": .list(progress, \.json),
            "click_through": .optional(clickThrough) { .link($0) }, "click_tracking": .links(clickTracking),
            "custom_clicks": .links(customClicks), "media_files": .list(mediaFiles, \.json),
            "mezzanines": .list(mezzanines, \.mezzanineJSON),
            "interactive_files": .list(interactiveFiles, \.json),
            "closed_captions": .list(closedCaptions) {
                ["url": .string($0.url), "type": .optional($0.type), "language": .optional($0.language)]
            },
            "icons": .list(icons, \.json),
        ]
    }
}

extension VASTDocument.AdParameters {
    fileprivate var json: JSONValue { ["value": .string(value), "xml_encoded": .optional(isXMLEncoded)] }
}

extension ProgressTracking {
    /// An entry of `progress`.
    var json: JSONValue {
        var (milliseconds, percent): (Int64?, Double?)
        switch point {
        case .milliseconds(let value): milliseconds = value
        case .percent(let value): percent = value
        case nil: break
        }
        return [
            "offset": .string(offset), "offset_ms": .optional(milliseconds), "offset_percent": .optional(percent),
            "url": .string(url),
        ]
    }
}

extension VASTDocument.MediaFile {
    /// An entry of `media_files`.
    package var json: JSONValue {
        [
            "id": .optional(id), "url": .string(url), "delivery": .optional(delivery), "type": .optional(type),
            "codec": .optional(codec), "bitrate": .optional(bitrate), "min_bitrate": .optional(minimumBitrate),
            "max_bitrate": .optional(maximumBitrate), "width": .optional(width), "height": .optional(height),
            "scalable": .optional(isScalable), "maintain_aspect_ratio": .optional(maintainsAspectRatio),
            "api_framework": .optional(apiFramework), "file_size": .optional(fileSize),
            "media_type": .optional(mediaType),
        ]
    }

    fileprivate var mezzanineJSON: JSONValue {
        [
            "id": .optional(id), "url": .string(url), "delivery": .optional(delivery), "type": .optional(type),
            "codec": .optional(codec), "width": .optional(width), "height": .optional(height),
            "file_size": .optional(fileSize), "media_type": .optional(mediaType),
        ]
    }
}

extension VASTDocument.InteractiveFile {
    fileprivate var json: JSONValue {
        [
            "url": .string(url), "type": .optional(type), "api_framework": .optional(apiFramework),
            "variable_duration": .optional(hasVariableDuration),
        ]
    }
}

extension VASTDocument.Resources {
    fileprivate var members: [JSONObject.Member] {
        [
            JSONObject.Member(
                name: "static_resources",
                value: .list(statics) { ["url": .string($0.url), "creative_type": .optional($0.creativeType)] }),
            JSONObject.Member(name: "iframe_resources", value: .urls(iFrames)),
            JSONObject.Member(name: "html_resources", value: .texts(html)),
        ]
    }
}

extension VASTDocument.NonLinear {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object.append("id", .optional(id))
        object.append("width", .optional(width))
        object.append("height", .optional(height))
        object.append("expanded_width", .optional(expandedWidth))
        object.append("expanded_height", .optional(expandedHeight))
        object.append("scalable", .optional(isScalable))
        object.append("maintain_aspect_ratio", .optional(maintainsAspectRatio))
        object.append("min_suggested_duration_ms", .optional(minimumSuggestedDurationMilliseconds))
        object.append("api_framework", .optional(apiFramework))
        for member in resources.members { object.append(member.name, member.value) }
        object.append("duration_ms", .optional(durationMilliseconds))
        object.append("media_files", .list(mediaFiles, \.json))
        object.append("interactive_files", .list(interactiveFiles, \.json))
        object.append("ad_parameters", .optional(adParameters, \.json))
        object.append("click_through", .optional(clickThrough?.url))
        object.append("click_tracking", .links(clickTracking))
        object.append("tracking", .byEvent(tracking))
        return .object(object)
    }
}

extension VASTDocument.Companion {
    /// An entry of `companions`.
    package var json: JSONValue {
        var object = JSONObject()
        object.append("id", .optional(id))
        object.append("width", .optional(width))
        object.append("height", .optional(height))
        object.append("asset_width", .optional(assetWidth))
        object.append("asset_height", .optional(assetHeight))
        object.append("expanded_width", .optional(expandedWidth))
        object.append("expanded_height", .optional(expandedHeight))
        object.append("api_framework", .optional(apiFramework))
        object.append("ad_slot_id", .optional(adSlotID))
        object.append("pxratio", .optional(pixelRatio))
        object.append("rendering_mode", .optional(renderingMode))
        for member in resources.members { object.append(member.name, member.value) }
        object.append("alt_text", .optional(altText))
        object.append("ad_parameters", .optional(adParameters, \.json))
        object.append("click_through", .optional(clickThrough?.url))
        object.append("click_tracking", .links(clickTracking))
        object.append("tracking", .byEvent(tracking))
        return .object(object)
    }
}

extension VASTDocument.Icon {
    /// An entry of `icons`.
    var json: JSONValue {
        var object = JSONObject()
        object.append("program", .optional(program))
        object.append("width", .optional(width))
        object.append("height", .optional(height))
        object.append("x_position", .optional(xPosition))
        object.append("y_position", .optional(yPosition))
        object.append("offset_ms", .optional(offsetMilliseconds))
        object.append("duration_ms", .optional(durationMilliseconds))
        object.append("api_framework", .optional(apiFramework))
        object.append("pxratio", .optional(pixelRatio))
        object.append("alt_text", .optional(altText))
        object.append("hover_text", .optional(hoverText))
        for member in resources.members { object.append(member.name, member.value) }
        object.append("click_through", .optional(clickThrough?.url))
        object.append("click_tracking", .links(clickTracking))
        object.append(
            "click_fallback_images",
            .list(fallbackImages) {
                [
                    "url": .optional($0.url), "width": .optional($0.width), "height": .optional($0.height),
                    "alt_text": .optional($0.altText),
                ]
            })
        object.append("view_tracking", .urls(viewTracking))
        return .object(object)
    }
}

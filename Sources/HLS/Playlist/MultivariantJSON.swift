import Ports

extension MultivariantPlaylist {
    /// Writes the members of schema `adtop-hls-golden/1` that only multivariant playlists have.
    func write(into object: inout JSONObject) {
        object.append("version", .optional(version))
        object.append("independent_segments", .bool(hasIndependentSegments))
        object.append("start", start?.json ?? .null)
        object.append("variants", .array(variants.map(\.json)))
        object.append("iframe_variants", .array(iFrameVariants.map(\.iFrameJSON)))
        object.append("renditions", .array(renditions.map(\.json)))
        object.append("session_data", .array(sessionData.map(\.json)))
        object.append("session_keys", .array(sessionKeys.map(\.sessionJSON)))
        object.append("content_steering", contentSteering?.json ?? .null)
        object.append("defines", .dictionary(definitions))
    }
}

extension Variant {
    fileprivate var json: JSONValue {
        [
            "uri": .string(uri), "bandwidth": .optional(bandwidth), "average_bandwidth": .optional(averageBandwidth),
            "codecs": .optional(codecs), "resolution": .optional(resolution?.description),
            "frame_rate": .optional(frameRate), "audio": .optional(audio), "video": .optional(video),
            "subtitles": .optional(subtitles),
            "closed_captions": .optional(hasNoClosedCaptions ? "NONE" : closedCaptions),
            "pathway_id": .optional(pathwayID), "stable_id": .optional(stableVariantID), "score": .optional(score),
        ]
    }

    fileprivate var iFrameJSON: JSONValue {
        [
            "uri": .string(uri), "bandwidth": .optional(bandwidth), "average_bandwidth": .optional(averageBandwidth),
            "codecs": .optional(codecs), "resolution": .optional(resolution?.description),
            "pathway_id": .optional(pathwayID), "stable_id": .optional(stableVariantID),
        ]
    }
}

extension Rendition {
    fileprivate var json: JSONValue {
        [
            "type": .string(kind.rawValue), "group_id": .optional(groupID.isEmpty ? nil : groupID),
            "name": .optional(name.isEmpty ? nil : name),
            "language": .optional(language), "uri": .optional(uri), "default": .bool(isDefault),
            "autoselect": .bool(isAutoselect), "forced": .bool(isForced), "instream_id": .optional(instreamID),
            "channels": .optional(channels), "characteristics": .optional(characteristics),
            "stable_id": .optional(stableRenditionID),
        ]
    }
}

extension SessionData {
    fileprivate var json: JSONValue {
        [
            "data_id": .optional(dataID.isEmpty ? nil : dataID), "value": .optional(value), "uri": .optional(uri),
            "format": .optional(format),
            "language": .optional(language),
        ]
    }
}

extension EncryptionKey {
    fileprivate var sessionJSON: JSONValue {
        ["method": .string(method), "uri": .optional(uri), "keyformat": .string(keyFormat)]
    }
}

extension ContentSteering {
    fileprivate var json: JSONValue { ["server_uri": .string(serverURI), "pathway_id": .optional(pathwayID)] }
}

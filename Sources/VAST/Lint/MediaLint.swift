import Ports

extension Linter {
    /// Checks the files of a linear creative of an inline ad.
    mutating func checkMedia(_ linear: XMLTree.Index) {
        let lists = all(.mediaFiles, in: linear)
        let files = lists.flatMap { all(.mediaFile, in: $0) }
        let interactive = lists.flatMap { all(.interactiveCreativeFile, in: $0) }
        let mezzanines = lists.flatMap { all(.mezzanine, in: $0) }
        guard !files.isEmpty else {
            report(.mediafilesMissing, "The Linear has no MediaFile.", at: linear)
            return
        }
        for file in files {
            checkMediaFile(file)
            checkFlags([.scalable, .maintainAspectRatio], of: file)
        }
        for file in files + mezzanines {
            checkNumbers([.width, .height, .bitrate, .minBitrate, .maxBitrate, .fileSize], of: file)
        }
        checkDuplicates(files, .mediafileDuplicate) { _ in "another media file" }
        checkRenditions(files, at: lists[0])
        if version >= .v4, mezzanines.isEmpty {
            report(
                .mezzanineMissing, "The Linear has no Mezzanine; stitchers use the file with the highest bitrate.",
                at: lists[0])
        }
        for file in mezzanines { checkMezzanine(file) }
        for file in interactive { checkInteractive(file) }
    }

    /// Checks whether players have a file that they can play, and enough of them.
    private mutating func checkRenditions(_ files: [XMLTree.Index], at list: XMLTree.Index) {
        let plain = files.filter { tree.value(.apiFramework, of: $0) == nil }
        if plain.isEmpty {
            report(
                .mediafileOnlyVPAID, "Every file needs code to play; televisions and stitchers cannot play the ad.",
                at: list)
        }
        let isAdaptive = plain.contains {
            tree.value(.delivery, of: $0).flatMap(ValueReader.word)?.lowercased() == "streaming"
        }
        if version >= .v4, !isAdaptive, plain.count < 3 {
            report(
                .mediafileSingleRendition,
                "VAST 4 requires three renditions or an adaptive one; the Linear has \(plain.count).", at: list)
        }
    }

    private mutating func checkMediaFile(_ node: XMLTree.Index) {
        let delivery = tree.value(.delivery, of: node).flatMap(ValueReader.word)
        if delivery != "progressive", delivery != "streaming" {
            report(
                .mediafileDelivery, "The delivery \(delivery ?? "(none)") is not progressive or streaming.", at: node)
        }
        let type = tree.value(.type, of: node).flatMap(ValueReader.word)
        if type == nil || type?.contains("/") == false {
            report(.mediafileType, "The type \(type ?? "(none)") is not a MIME type.", at: node)
        }
        let (width, height) = (reader.integer(.width, of: node), reader.integer(.height, of: node))
        if width == nil || height == nil { report(.mediafileSize, "Width or height is missing.", at: node) }
        checkBitrates(of: node)
        checkType(type?.lowercased() ?? "", of: node)
        guard let framework = tree.value(.apiFramework, of: node), version >= .v41 else { return }
        let isVPAID = framework.lowercased() == "vpaid"
        report(
            isVPAID ? .vpaidDeprecated : .apiframeworkDeprecated,
            "apiFramework=\"\(framework)\" on a media file is deprecated since VAST 4.1.", at: node)
    }

    private mutating func checkBitrates(of node: XMLTree.Index) {
        let rate = reader.integer(.bitrate, of: node)
        let (low, high) = (reader.integer(.minBitrate, of: node), reader.integer(.maxBitrate, of: node))
        if (low == nil) != (high == nil) {
            report(.mediafileBitratePair, "Only one of minBitrate and maxBitrate is present.", at: node)
        }
        if rate != nil, low != nil || high != nil {
            report(.mediafileBitrateConflict, "bitrate is present together with minBitrate or maxBitrate.", at: node)
        }
        if let low, let high, low > high { report(.mediafileBitrateOrder, "minBitrate is above maxBitrate.", at: node) }
        if let rate, rate > Self.highestKilobits {
            report(
                .mediafileBitrateScale,
                "The bitrate is \(rate.grouped) kbit/s; the number is probably in bit/s.", at: node)
        }
    }

    private static let highestKilobits = 100_000

    private mutating func checkType(_ type: String, of node: XMLTree.Index) {
        if type.contains("flv") || type.contains("flash") {
            report(.mediafileFlash, "The type \(type) is Flash, which players no longer support.", at: node)
        }
        let path = URIReference(tree.text(node)).path.lowercased()
        guard let dot = path.lastIndex(of: "."), let wanted = Self.types[String(path[path.index(after: dot)...])] else {
            return
        }
        let bare = type.prefix { $0 != ";" }
        guard !bare.isEmpty, !wanted.contains(String(bare)) else { return }
        report(
            .mediafileTypeExtension,
            "The type \(bare) does not match the file extension .\(path[path.index(after: dot)...]).",
            at: node)
    }

    private static let types: [String: Set<String>] = [
        "mp4": ["video/mp4", "audio/mp4", "video/x-mp4"], "webm": ["video/webm", "audio/webm"],
        "m3u8": ["application/x-mpegurl", "application/vnd.apple.mpegurl", "video/x-mpegurl", "audio/mpegurl"],
        "mpd": ["application/dash+xml"], "mp3": ["audio/mpeg", "audio/mp3"], "flv": ["video/x-flv", "video/flv"],
        "swf": ["application/x-shockwave-flash"], "mov": ["video/quicktime"],
        "js": ["application/javascript", "text/javascript", "application/x-javascript"],
    ]

    private mutating func checkMezzanine(_ node: XMLTree.Index) {
        guard version >= .v41 else { return }
        let missing = [AttributeName.delivery, .type, .width, .height].filter { tree.value($0, of: node) == nil }
        guard !missing.isEmpty else { return }
        report(
            .mezzanineAttributes, "The Mezzanine lacks \(missing.map(\.rawValue).joined(separator: ", ")).", at: node)
    }

    private mutating func checkInteractive(_ node: XMLTree.Index) {
        checkFlags([.variableDuration], of: node)
        guard let framework = tree.value(.apiFramework, of: node) else {
            report(.interactiveNoFramework, "The interactive file has no apiFramework.", at: node)
            return
        }
        let url = tree.text(node)
        if url.utf8.count > Self.largestDataURI, url.hasPrefix("data:") {
            report(.interactiveDataURILarge, "The data URI has \(url.utf8.count) bytes.", at: node)
        }
        guard framework.uppercased() == "SIMID" else { return }
        if tree.value(.type, of: node)?.lowercased() != "text/html" {
            report(.simidType, "The type of the SIMID file is not text/html.", at: node)
        }
        if url.lowercased().hasPrefix("http:") {
            report(.simidNotHttps, "The SIMID file is not served over https.", at: node)
        }
    }

    private static let largestDataURI = 10 << 10

    // MARK: Verifications

    mutating func checkVerifications(_ list: XMLTree.Index) {
        for node in all(.verification, in: list) {
            if tree.value(.vendor, of: node) == nil, version >= .v41 {
                report(.verificationVendor, "The Verification has no vendor.", at: node)
            }
            let resources = tree.children(node).filter {
                [.javaScriptResource, .executableResource, .flashResource].contains(tree.element($0))
            }
            if resources.isEmpty { report(.verificationNoResource, "The Verification has no resource.", at: node) }
            for resource in resources { checkVerificationResource(resource) }
            for events in all(.trackingEvents, in: node) {
                let trackings = all(.tracking, in: events)
                checkTracking(trackings, subject: .verification, duration: nil)
                for tracking in trackings where !tree.text(tracking).contains("[REASON]") {
                    report(.verificationNoReason, "The URL does not contain [REASON].", at: tracking)
                }
            }
        }
    }

    private mutating func checkVerificationResource(_ node: XMLTree.Index) {
        checkFlags([.browserOptional], of: node)
        if tree.element(node) == .flashResource {
            report(.flashResource, "FlashResource was removed in VAST 4.1.", at: node)
        } else if version >= .v41, tree.value(.apiFramework, of: node) == nil {
            report(.verificationFramework, "The resource has no apiFramework.", at: node)
        }
        if tree.text(node).lowercased().hasPrefix("http:") {
            report(.verificationNotHttps, "The verification code is not served over https.", at: node)
        }
    }
}

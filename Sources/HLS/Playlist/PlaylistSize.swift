/// What counts against `PlaylistLimits` in a playlist that a delta update completes (HLS-6). Each update is within the limits by itself,
/// but what they add up to is not.
struct PlaylistSize {
    private var segments = 0
    private var parts = 0
    private var dateRanges = 0
    private var cuePoints = 0
    /// Bytes of all texts.
    private var bytes = 0

    /// Whether one playlist may be that large.
    var isWithinLimits: Bool {
        segments <= PlaylistLimits.segments && parts <= PlaylistLimits.parts
            && dateRanges <= PlaylistLimits.dateRanges && cuePoints <= PlaylistLimits.cuePoints
            && bytes <= PlaylistLimits.mergedBytes
    }

    /// Fields are read in place, because thousands of segments are held. What a segment shares with the one before it counts once.
    mutating func add(_ added: ArraySlice<MediaSegment>) {
        added.withUnsafeBufferPointer { added in
            for index in added.indices {
                let isNew = index == 0 || added[index].map != added[index - 1].map
                bytes += added[index].uri.utf8.count + (added[index].title?.utf8.count ?? 0)
                if isNew { bytes += added[index].map?.uri.utf8.count ?? 0 }
                if index == 0 || added[index].keys != added[index - 1].keys { add(added[index].keys) }
                if !added[index].parts.isEmpty { add(added[index].parts) }
            }
            segments += added.count
        }
    }

    mutating func add(_ added: [PartialSegment]) {
        parts += added.count
        bytes += added.reduce(0) { $0 + $1.uri.utf8.count }
    }

    mutating func add(_ added: [DateRange]) {
        dateRanges += added.count
        bytes += added.reduce(0) { $0 + $1.textBytes }
    }

    mutating func add(_ added: [CuePoint]) {
        cuePoints += added.count
        bytes += added.reduce(0) { sum, point in
            point.attributes.reduce(sum + (point.id?.utf8.count ?? 0) + (point.scte35?.count ?? 0)) {
                $0 + $1.name.utf8.count + $1.value.utf8.count
            }
        }
    }

    private mutating func add(_ added: [EncryptionKey]) {
        for key in added {
            for text in [key.uri, key.initializationVector, key.keyFormat, key.keyFormatVersions] {
                bytes += text?.utf8.count ?? 0
            }
        }
    }
}

extension DateRange {
    /// Bytes of its texts and messages.
    var textBytes: Int {
        extensions.reduce(id.utf8.count + (rangeClass?.utf8.count ?? 0)) {
            $0 + $1.name.utf8.count + $1.value.text.utf8.count
        } + (scte35Command?.count ?? 0) + (scte35Out?.count ?? 0) + (scte35In?.count ?? 0)
    }
}

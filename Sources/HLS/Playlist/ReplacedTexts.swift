/// The texts produced by replacing variables during one parse: attribute values are views, and these need bytes that
/// live as long as the text of the playlist.
final class ReplacedTexts {
    private var buffers: [UnsafeMutableBufferPointer<UInt8>] = []

    /// Copies `text`; the returned view is valid as long as this object.
    func keep(_ text: String) -> ByteView {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = buffer.initialize(fromContentsOf: text.utf8)
        buffers.append(buffer)
        return ByteView(UnsafeBufferPointer(buffer))
    }

    deinit {
        for buffer in buffers { buffer.deallocate() }
    }
}

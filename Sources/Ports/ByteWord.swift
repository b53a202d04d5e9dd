/// Eight bytes of a text as one number, for passes that mostly stop nowhere: all eight are compared at once.
extension UInt64 {
    /// Has bits where a byte is `byte`, and none where no byte is. A borrow may wrongly mark bytes above the first one that is: only the
    /// lowest mark is certain.
    @inlinable package func marks(of byte: UInt8) -> UInt64 {
        let word = self ^ (0x0101_0101_0101_0101 &* UInt64(byte))
        return (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    /// The same of bytes below a limit, which is 0x80 at most; bytes of 0x80 and more are not below.
    @inlinable package func marks(below limit: UInt8) -> UInt64 {
        (self &- 0x0101_0101_0101_0101 &* UInt64(limit)) & ~self & 0x8080_8080_8080_8080
    }

    /// The same of bytes from 0x80 on.
    @inlinable package var marksBeyondASCII: UInt64 { self & 0x8080_8080_8080_8080 }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether any eight bytes in a row may have a mark; true of fewer than eight.
    /// - Parameter step: distance of the words that are looked at; below 8 so that bytes beside each other are in one.
    @inlinable package func mayHaveMarks(step: Int = 8, _ marks: (UInt64) -> UInt64) -> Bool {
        guard let base = UnsafeRawPointer(baseAddress), count >= 8 else { return true }
        var found: UInt64 = 0
        var place = 0
        while place < count {
            let start = Swift.min(place, count &- 8)
            found |= marks(UInt64(littleEndian: base.loadUnaligned(fromByteOffset: start, as: UInt64.self)))
            place &+= step
        }
        return found != 0
    }
}

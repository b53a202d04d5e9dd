import Ports
import TestSupport
import Testing

@testable import AdFormats

/// Durations of MP4 files from their movie header.
@Suite struct MP4HeaderTests {
    private func number(_ value: UInt64, _ bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        number(UInt64(content.count + 8), 4) + Array(type.utf8) + content
    }

    private func header(_ version: UInt8, scale: UInt64, duration: UInt64) -> [UInt8] {
        let wide = version == 1 ? 8 : 4
        let dates = [UInt8](repeating: 0, count: 2 * wide)
        return box("mvhd", [version, 0, 0, 0] + dates + number(scale, 4) + number(duration, wide) + [0, 1, 0, 0])
    }

    private let brand = "isom".utf8

    @Test(arguments: [(UInt8(0), UInt64(1_000), UInt64(10_500), Int64(10_500)), (1, 90_000, 900_045, 10_000)])
    func bothVersionsAreRead(version: UInt8, scale: UInt64, duration: UInt64, milliseconds: Int64) {
        let file = box("ftyp", Array(brand)) + box("moov", header(version, scale: scale, duration: duration))
        #expect(MP4Header(file)?.duration == milliseconds)
    }

    @Test func boxesBeforeItArePassedOver() {
        let movie = box("moov", box("udta", [1, 2, 3]) + header(0, scale: 25, duration: 250))
        let long = number(1, 4) + Array("free".utf8) + number(20, 8) + [0, 0, 0, 0]
        #expect(MP4Header(box("ftyp", Array(brand)) + long + movie)?.duration == 10_000)
    }

    @Test func whatIsNotThereIsNotRead() {
        let movie = box("moov", header(0, scale: 25, duration: 250))
        let whole = box("ftyp", Array(brand)) + movie
        for length in 0..<(whole.count - 4) { #expect(MP4Header(Array(whole.prefix(length))) == nil, "\(length)") }
        #expect(MP4Header(Array("no video at all".utf8)) == nil)
        #expect(MP4Header(box("moov", header(0, scale: 0, duration: 250))) == nil)
        #expect(MP4Header(box("moov", header(0, scale: 25, duration: 0xFFFF_FFFF))) == nil)
        #expect(MP4Header(box("moov", header(1, scale: 1, duration: .max - 1))) == nil)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func anyBytesAreSurvived(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let whole = box("ftyp", Array(brand)) + box("moov", header(1, scale: 1_000, duration: 5_000))
        for _ in 0..<2_000 {
            var bytes = whole
            for _ in 0..<4 {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            if let duration = MP4Header(bytes)?.duration { #expect(duration >= 0, "seed \(seed)") }
        }
    }
}

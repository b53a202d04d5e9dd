import Testing

@testable import adtop

/// Which mappings are given back after the start.
@Suite struct StartPagesTests {
    @Test func onlyWhatWasNeverWrittenIsReleased() {
        let mappings = """
            55d0a0000000-55d0a0200000 r--p 00000000 fe:00 1234                       /usr/bin/adtop
            Size:               2048 kB
            Anonymous:             0 kB
            VmFlags: rd mr mw me sd
            55d0a0200000-55d0a2b00000 r-xp 00200000 fe:00 1234                       /usr/bin/adtop
            Size:              42000 kB
            Anonymous:             0 kB
            55d0a2b00000-55d0a2b80000 r--p 02b00000 fe:00 1234                       /usr/bin/adtop
            Anonymous:           512 kB
            55d0a2b80000-55d0a2c00000 rw-p 02b80000 fe:00 1234                       /usr/bin/adtop
            Anonymous:             0 kB
            55d0a3000000-55d0a3021000 rw-p 00000000 00:00 0                          [heap]
            Anonymous:           132 kB
            7f0000000000-7f0000001000 r--p 00000000 00:00 0
            Anonymous:             0 kB
            7f0000080000-7f0000090000 r--s 00000000 fe:00 77                         /usr/share/cache
            Anonymous:             0 kB
            7f0000100000-7f0000200000 r-xp 00010000 fe:00 99                         /opt/a folder/libswiftCore.so
            Anonymous:             0 kB
            7ffd00000000-7ffd00002000 r-xp 00000000 00:00 0                          [vdso]
            Anonymous:             0 kB
            """
        #expect(
            StartPages.unchangedRanges(in: mappings) == [
                0x55d0_a000_0000..<0x55d0_a020_0000, 0x55d0_a020_0000..<0x55d0_a2b0_0000,
                0x7f00_0010_0000..<0x7f00_0020_0000,
            ])
    }

    @Test(
        arguments: ["", "x", "g-h r-xp 0 0 0 /x", "20-10 r-xp 0 0 0 /x", "10 r-xp 0 0 0 /x", "10-20 r-xp 0 0 0"])
    func otherMappingsAreLeftOut(_ line: String) {
        #expect(StartPages.unchangedRanges(in: "\(line)\nAnonymous: 0 kB").isEmpty)
    }

    @Test func aMappingWithoutACountIsLeftOut() {
        #expect(StartPages.unchangedRanges(in: "10-20 r-xp 0 0 0 /x\nSize: 4 kB\nAnonymous:").isEmpty)
    }
}

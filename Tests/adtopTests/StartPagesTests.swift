import Testing

@testable import adtop

/// Which mappings are given back after the start.
@Suite struct StartPagesTests {
    @Test func onlyCodeOfFilesIsReleased() {
        let maps = """
            55d0a0000000-55d0a0200000 r--p 00000000 fe:00 1234                       /usr/bin/adtop
            55d0a0200000-55d0a2b00000 r-xp 00200000 fe:00 1234                       /usr/bin/adtop
            55d0a2b00000-55d0a2c00000 rw-p 02b00000 fe:00 1234                       /usr/bin/adtop
            55d0a3000000-55d0a3021000 rw-p 00000000 00:00 0                          [heap]
            7f0000000000-7f0000001000 rwxp 00000000 00:00 0
            7f0000100000-7f0000200000 r-xp 00010000 fe:00 99                         /opt/a folder/libswiftCore.so
            7ffd00000000-7ffd00002000 r-xp 00000000 00:00 0                          [vdso]
            """
        #expect(
            StartPages.codeRanges(inMaps: maps) == [
                0x55d0_a020_0000..<0x55d0_a2b0_0000, 0x7f00_0010_0000..<0x7f00_0020_0000,
            ])
    }

    @Test(arguments: ["", "x", "g-h r-xp 0 0 0 /x", "20-10 r-xp 0 0 0 /x", "10 r-xp 0 0 0 /x", "10-20 r-xp 0 0 0"])
    func otherLinesAreLeftOut(_ line: String) {
        #expect(StartPages.codeRanges(inMaps: line).isEmpty)
    }
}

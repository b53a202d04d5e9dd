import Glibc

/// The parser that this process fuzzes, by its name in the environment: scripts/fuzz sets it.
private let target: FuzzTarget? = getenv("ADTOP_FUZZ_TARGET").flatMap { FuzzTarget(rawValue: String(cString: $0)) }

/// What libFuzzer calls with each input it makes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let target else {
        fatalError("ADTOP_FUZZ_TARGET names no parser")
    }
    target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

package import Monitoring

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What this process has used, as the system has it.
package enum OwnUsage {
    /// Nil where the system does not tell.
    package static func read() -> ProcessUsage? {
        var usage = rusage()
        #if canImport(Glibc)
            let own = __rusage_who_t(RUSAGE_SELF.rawValue)
        #else
            let own = RUSAGE_SELF
        #endif
        guard getrusage(own, &usage) == 0, let bytes = residentBytes() else { return nil }
        return ProcessUsage(processorTime: span(usage.ru_utime) + span(usage.ru_stime), residentBytes: bytes)
    }

    private static func span(_ time: timeval) -> Duration {
        .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
    }

    #if canImport(Glibc)
        /// The second number of `/proc/self/statm` is resident pages (proc(5)).
        private static func residentBytes() -> Int64? {
            guard let file = fopen("/proc/self/statm", "re") else { return nil }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 128)
            guard fgets(&line, Int32(line.count), file) != nil else { return nil }
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let fields = text.split(separator: " ")
            guard fields.count > 1, let pages = Int64(fields[1]) else { return nil }
            return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
        }
    #else
        private static func residentBytes() -> Int64? {
            var info = mach_task_basic_info()
            let words = MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size
            var count = mach_msg_type_number_t(words)
            let result = withUnsafeMutablePointer(to: &info) { pointer in
                pointer.withMemoryRebound(to: integer_t.self, capacity: words) {
                    task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
                }
            }
            return result == KERN_SUCCESS ? Int64(clamping: info.resident_size) : nil
        }
    #endif
}

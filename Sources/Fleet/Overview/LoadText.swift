import Ports

/// Load in the forms of a table.
extension FleetOverview.Load {
    /// Cores: `0.71`, `12.0`; nil is not known.
    package var coresText: String? {
        cores.map { cores in
            let hundredths = Int64((min(max(cores, 0), 9_999) * 100).rounded())
            let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
            return whole >= 10 ? "\(whole).\(rest / 10)" : "\(whole).\(rest.zeroPadded(to: 2))"
        }
    }

    /// `488 MiB`, `12 GiB`; nil is not known.
    package var memoryText: String? {
        residentBytes.map { bytes in
            let megabytes = max(0, bytes) >> 20
            return megabytes < 10_000 ? "\(megabytes) MiB" : "\(megabytes >> 10) GiB"
        }
    }

    /// How long claims wait (p99): `7.1ms`, `320ms`, `2.5s`; nil where none was granted.
    package var claimText: String? {
        claimP99.map { wait in
            let tenths = max(0, wait.inMicroseconds) / 100
            if tenths < 1_000 { return "\(tenths / 10).\(tenths % 10)ms" }
            return tenths < 10_000 ? "\(tenths / 10)ms" : "\(tenths / 10_000).\(tenths % 10_000 / 1_000)s"
        }
    }
}

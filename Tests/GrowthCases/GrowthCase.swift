#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Work whose cost must not grow faster than n log n in something that a server sends.
package struct GrowthCase: Sendable, CustomStringConvertible {
    /// What is repeated, e.g. `metadata: breaks`.
    package var name: String
    /// The smallest number of repetitions at which fixed costs no longer hide how the work grows.
    package var size: Int
    /// Prepares the input for a number of repetitions; the returned work alone is measured.
    package var prepare: @Sendable (Int) -> () -> Void
    /// What the largest document costs; nil where the input is not one document with a limit.
    package var largest: Largest?

    package init(_ name: String, from size: Int, _ prepare: @escaping @Sendable (Int) -> () -> Void) {
        self.name = name
        self.size = size
        self.prepare = prepare
    }

    package var description: String { name }
}

extension GrowthCase {
    /// The largest document that a session reads.
    package struct Largest: Sendable {
        /// Bytes that are read of a document; a longer one is rejected.
        package var limit: Int
        /// Seconds that one reading may take in a release build.
        package var target: Double
        /// How often the work of the case reads the document.
        package var readings: Int
        /// The bytes of a document with that many repetitions.
        package var bytes: @Sendable (Int) -> Int

        /// The number of repetitions that nearly fill the limit: what is around them must fit too, as a document beyond the
        /// limit is not read at all.
        package func size(from small: Int) -> Int {
            let room = limit - limit / 256
            var size = small * room / max(1, bytes(small))
            // Later repetitions are longer, because their numbers are.
            while case let length = bytes(size), length > room { size = min(size - 1, size * room / length) }
            return size
        }
    }
}

/// How the cost of a case grows with its input.
package struct Growth: Sendable {
    package struct Point: Sendable {
        package var size: Int
        /// Processor time of this thread; other work of the machine does not count.
        package var seconds: Double
    }

    package private(set) var points: [Point] = []

    /// Measures a case at its size and at multiples of it, each time the best of `repeats`.
    /// - Parameters:
    ///   - size: the smallest size; nil for that of the case.
    ///   - factor: from one size to the next.
    ///   - limit: stops once a single run takes longer than this many seconds.
    package init(
        _ growing: GrowthCase, from size: Int? = nil, by factor: Int = 2, steps: Int, repeats: Int,
        limit: Double = .infinity
    ) {
        var size = size ?? growing.size
        for _ in 0...steps {
            var best = Double.infinity
            for _ in 0..<repeats {
                let work = growing.prepare(size)
                let begin = Self.threadSeconds()
                work()
                best = min(best, Self.threadSeconds() - begin)
            }
            points.append(Point(size: size, seconds: best))
            guard best < limit else { break }
            size *= factor
        }
    }

    /// Exponent of the size between the smallest and the largest input: 1 is linear, 2 quadratic.
    package var exponent: Double {
        guard let first = points.first, let last = points.last, first.size < last.size else { return 0 }
        return log2(max(last.seconds, 1e-6) / max(first.seconds, 1e-6)) / log2(Double(last.size) / Double(first.size))
    }

    private static func threadSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

package import Screen

/// The size of a terminal, for tools that wrap their text.
package enum WindowSize {
    /// The size that the terminal behind a descriptor reports; nil when it is none.
    package static func of(descriptor: Int32) -> Size? { SystemCalls.windowSize(of: descriptor) }
}

package import HLS

/// How the playlist of a session is followed.
package struct FollowingRules: Sendable, Hashable {
    /// The variant that is followed.
    package var variant = VariantWish.best
    /// Whether what can be read and replaced is: bytes that are not UTF-8 are read as U+FFFD, and a variant that the server
    /// refuses is replaced by one of another bandwidth. False for recordings from before.
    package var isLenient = true

    package init() {}
}

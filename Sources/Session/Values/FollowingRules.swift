/// How the playlist of a session is followed.
package struct FollowingRules: Sendable, Hashable {
    /// Whether what can be read is: bytes that are not UTF-8 are read as U+FFFD. False for recordings from before.
    package var isLenient = true

    package init() {}
}

import Locks
package import Ports

/// The cookies of a session, shared by its requests.
package final class SessionCookies: Sendable {
    private let jar: Locked<CookieJar>
    private let first: CookieJar
    private let time: any TimeSource

    package init(_ jar: CookieJar = CookieJar(), time: any TimeSource = SystemTimeSource()) {
        self.jar = Locked(jar)
        first = jar
        self.time = time
    }

    /// The cookies so far.
    package var contents: CookieJar { jar.withLock { $0 } }

    /// Drops all cookies but those of the start.
    package func forget() { jar.withLock { $0 = first } }

    /// The cookies of a request to `url`.
    package func pairs(for url: WebURL) -> [Cookie] {
        let now = time.now().wall
        return jar.withLock { $0.pairs(for: url, at: now) }
    }

    func store(_ fields: [HTTPField], from url: WebURL) {
        // Most answers set none.
        guard fields["set-cookie"] != nil else { return }
        let now = time.now().wall
        jar.withLock { $0.store(fields, from: url, at: now) }
    }
}

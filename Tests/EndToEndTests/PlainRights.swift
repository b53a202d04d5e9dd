import Foundation
import TestSupport

/// Programs without the right of root to read and write every file (Linux, capabilities(7)).
enum PlainRights {
    private static let setpriv = ["/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"]

    /// A command that starts such a program: empty for a user who is not root, nil where root cannot give up the right.
    static let command: [String]? = {
        guard geteuid() == 0 else { return [] }
        return ShortCommand.succeeds(setpriv + ["true"]) ? setpriv : nil
    }()
}

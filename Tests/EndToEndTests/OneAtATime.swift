import Testing

/// Tests that have the machine for themselves: they own a terminal, whose reader holds a thread while it waits, or stop and
/// kill programs at moments that matter. `make test` runs them one after the other when all others have ended.
@Suite(.serialized) enum OneAtATime {}

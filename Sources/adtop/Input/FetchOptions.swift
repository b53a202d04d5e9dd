import ArgumentParser

/// The flags of every verb that sends requests: what requests carry, and how they leave.
struct FetchOptions: ParsableArguments {
    @OptionGroup(title: "Requests") var requests: RequestOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    /// The input of the verb.
    var input: InputSource {
        InputSource(flags: requests.settings.merging(connection.settings) { given, _ in given })
    }
}

/// The same for verbs with a `--key` or `--timeout` of their own.
struct WayFetchOptions: ParsableArguments {
    @OptionGroup(title: "Requests") var requests: RequestOptions
    @OptionGroup(title: "Connection") var connection: WayOptions

    /// The input of the verb.
    var input: InputSource {
        InputSource(
            flags: requests.settings.merging(connection.settings) { given, _ in given }, hasOwnTimeout: true)
    }
}

/// The same for `vast resolve`, whose `--header` and `--user-agent` are for the whole chain.
struct ChainFetchOptions: ParsableArguments {
    @OptionGroup(title: "Requests") var requests: IdentityOptions
    @OptionGroup(title: "Connection") var connection: WayOptions

    /// The input of the verb.
    var input: InputSource {
        InputSource(
            flags: requests.settings.merging(connection.settings) { given, _ in given }, hasOwnTimeout: true)
    }
}

import ArgumentParser

/// The flags of every verb that sends requests: what requests carry, and how they leave.
struct FetchOptions: ParsableArguments {
    @OptionGroup(title: "Requests") var requests: RequestOptions
    @OptionGroup(title: "Requests") var identity: IdentityOptions
    @OptionGroup(title: "Connection") var way: WayOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    /// The settings given as flags.
    var settings: [Setting: String] {
        .joining([requests.settings, identity.settings, way.settings, connection.settings])
    }

    /// The input of the verb.
    var input: InputSource { InputSource(flags: settings) }
}

/// The same for verbs with a `--key` or `--timeout` of their own.
struct WayFetchOptions: ParsableArguments {
    @OptionGroup(title: "Requests") var requests: RequestOptions
    @OptionGroup(title: "Requests") var identity: IdentityOptions
    @OptionGroup(title: "Connection") var way: WayOptions

    /// The settings given as flags.
    var settings: [Setting: String] { .joining([requests.settings, identity.settings, way.settings]) }

    /// The input of the verb.
    var input: InputSource { InputSource(flags: settings, hasOwnTimeout: true) }
}

/// The same for `vast resolve`, whose `--header` and `--user-agent` are for the whole chain.
struct ChainFetchOptions: ParsableArguments {
    @OptionGroup(title: "Requests") var identity: IdentityOptions
    @OptionGroup(title: "Connection") var way: WayOptions

    /// The input of the verb.
    var input: InputSource {
        InputSource(flags: .joining([identity.settings, way.settings]), hasOwnTimeout: true)
    }
}

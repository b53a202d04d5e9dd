package import Ports

/// The plugin's side of one ad: gets the ad and learns what becomes of it (FMT-10).
///
/// Contract (checked by the presenter contract test): a value machine. It never waits; what it wants done it returns, and the
/// answers come back as inputs. After a `load` it gives at most what it was answered: the slot that holds it owns the state
/// machine and rejects what comes twice or too late.
package protocol AdPresenter: Sendable {
    mutating func take(_ input: PresenterInput) -> [PresenterOutput]
}

/// What a presenter learns.
package enum PresenterInput: Sendable {
    case load(AdConfig, RequestParameters)
    /// The answer to its request.
    case answered(HTTPExchange)
    /// A message of the plugin's process.
    case said(PluginMessage)
    /// The plugin's process is gone; a clause says how.
    case ended(String)
    case show, click, dismiss
    /// Share of the ad that is visible, 0 to 1.
    case visibility(Double)
}

/// What a presenter wants done, or has to say.
package enum PresenterOutput: Sendable, Hashable {
    /// Ends in `answered`.
    case fetch(HTTPRequest)
    /// To the plugin's process.
    case tell(HostMessage)
    case loaded(AdPayload)
    case failed(AdError)
    /// The plugin believes the ad to be in that state.
    case state(AdState)
    case reward(Reward)
}

/// Who supplies ads: a factory of presenters (FMT-10).
package protocol AdPlugin: Sendable {
    static var manifest: PluginManifest { get }
    /// Throws `invalidRequest` when the configuration cannot be used.
    init(configuration: JSONValue) throws(AdError)
    /// For logs and the provider column.
    var providerName: String { get }
    /// Sizes of its own names.
    var sizes: NamedSizes { get }
    /// Throws `invalidRequest` when the plugin does not serve the format.
    func makePresenter(slot: String, format: AdFormat) throws(AdError) -> any AdPresenter
}

extension AdPlugin {
    package var sizes: NamedSizes { NamedSizes() }

    func require(_ format: AdFormat) throws(AdError) {
        guard Self.manifest.capabilities.contains(format) else {
            throw AdError(.invalidRequest, "\(Self.manifest.identifier) does not serve \(format.rawValue) ads")
        }
    }
}

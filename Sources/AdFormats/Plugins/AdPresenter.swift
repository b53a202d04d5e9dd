package import Ports

/// The plugin's part of one ad: it loads the ad and receives the events of its slot (FMT-10).
///
/// Contract (checked by the presenter contract test): a value machine. It never waits; it returns the actions to
/// perform, and their results arrive as inputs. After a `load` it returns at most the answer: its slot owns the state
/// machine and rejects repeated and late results.
package protocol AdPresenter: Sendable {
    mutating func take(_ input: PresenterInput) -> [PresenterOutput]
}

/// An input of a presenter.
package enum PresenterInput: Sendable {
    case load(AdConfig, RequestParameters)
    /// The answer to its request.
    case answered(HTTPExchange)
    /// A message from the plugin's process.
    case received(PluginMessage)
    /// The plugin's process ended; the clause is the reason.
    case ended(String)
    case show, click, dismiss
    /// Visible fraction of the ad, 0 to 1.
    case visibility(Double)
}

/// An action or a result of a presenter.
package enum PresenterOutput: Sendable, Hashable {
    /// A request; its answer is the input `answered`.
    case fetch(HTTPRequest)
    /// A message to the plugin's process.
    case tell(HostMessage)
    case loaded(AdPayload)
    case failed(AdError)
    /// The state of the ad according to the plugin.
    case state(AdState)
    case reward(Reward)
}

/// A source of ads: a factory of presenters (FMT-10).
package protocol AdPlugin: Sendable {
    static var manifest: PluginManifest { get }
    /// Throws `invalidRequest` when the configuration is invalid.
    init(configuration: JSONValue) throws(AdError)
    /// Name for logs and the provider column.
    var providerName: String { get }
    /// Throws `invalidRequest` when the plugin does not support the format.
    func makePresenter(slot: String, format: AdFormat) throws(AdError) -> any AdPresenter
}

extension AdPlugin {
    func require(_ format: AdFormat) throws(AdError) {
        guard Self.manifest.capabilities.contains(format) else {
            throw AdError(.invalidRequest, "\(Self.manifest.identifier) does not support \(format.rawValue) ads")
        }
    }
}

package import Ports

/// A plugin in its own process, described by its manifest. The owner of the slot runs the process.
package struct SubprocessPlugin: Sendable, Hashable {
    package let manifest: PluginManifest
    package let configuration: JSONValue

    package init(_ manifest: PluginManifest, configuration: JSONValue) {
        self.manifest = manifest
        self.configuration = manifest.configuration(configuration)
    }

    /// Throws `invalidRequest` when the manifest does not declare the format (FMT-25).
    package func makePresenter(slot: String, format: AdFormat) throws(AdError) -> any AdPresenter {
        guard manifest.capabilities.contains(format) else {
            throw AdError(.invalidRequest, "\(manifest.identifier) does not declare \(format.rawValue)")
        }
        return SubprocessPresenter(slot: slot, format: format)
    }
}

/// The host's side of a presenter in a plugin process: converts messages, and trusts none.
package struct SubprocessPresenter: AdPresenter {
    let slot: String
    let format: AdFormat
    private var isCreated = false
    private var isLoading = false

    init(slot: String, format: AdFormat) {
        self.slot = slot
        self.format = format
    }

    package mutating func take(_ input: PresenterInput) -> [PresenterOutput] {
        switch input {
        case .load(let config, _):
            defer { (isCreated, isLoading) = (true, true) }
            let create: [PresenterOutput] = isCreated ? [] : [.tell(.create(presenter: slot, format: format))]
            return create + [.tell(.load(presenter: slot, config: config.json))]
        case .show: return [.tell(.show(presenter: slot))]
        case .click: return [.tell(.click(presenter: slot))]
        case .dismiss: return [.tell(.dismiss(presenter: slot))]
        case .visibility(let share): return [.tell(.visibility(presenter: slot, share))]
        case .received(let message): return received(message)
        case .ended(let how):
            isCreated = false
            guard isLoading else { return [] }
            isLoading = false
            return [.failed(AdError(.internalError, how))]
        case .answered: return []
        }
    }

    private mutating func received(_ message: PluginMessage) -> [PresenterOutput] {
        if case .ready(_, let capabilities, _, _) = message {
            guard isLoading, !capabilities.contains(format) else { return [] }
            isLoading = false
            return [.failed(AdError(.invalidRequest, "the plugin is ready, but not for \(format.rawValue)"))]
        }
        guard message.presenter == slot else { return [] }
        switch message {
        case .loaded(_, let payload):
            isLoading = false
            return [check(payload)]
        case .failed(_, let error):
            isLoading = false
            return [.failed(error)]
        case .state(_, let state): return [.state(state)]
        case .reward(_, let reward): return [.reward(reward)]
        case .ready, .bid, .bye: return []
        }
    }

    private func check(_ payload: AdPayload) -> PresenterOutput {
        if case .wrong(let clause) = ExpectedContent.check(payload.contentType, for: format) {
            return .failed(AdError(.internalError, clause))
        }
        return .loaded(payload)
    }
}

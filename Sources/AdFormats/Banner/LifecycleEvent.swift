/// Changes of the app's state that affect its ads, by the names of rule FMT-11.
package enum LifecycleEvent: String, Sendable, Hashable, CaseIterable {
    /// The terminal lost the focus.
    case willResignActive
    /// The process was stopped (SIGTSTP).
    case didEnterBackground
    /// The process was continued (SIGCONT). Its user is looking at it, whether or not the terminal reports focus.
    case willEnterForeground
    /// The terminal regained the focus. While the process is stopped, this event alone has no effect (FMT-11).
    case didBecomeActive
}

extension VisibilityModel {
    /// Two events resume ads: becoming active undoes only the loss of focus, entering the foreground undoes both.
    package mutating func take(_ event: LifecycleEvent) {
        switch event {
        case .willResignActive: isInactive = true
        case .didEnterBackground: isInBackground = true
        case .willEnterForeground: (isInBackground, isInactive) = (false, false)
        case .didBecomeActive: isInactive = false
        }
    }
}

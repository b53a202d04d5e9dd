/// What happens to the program around its ads, in the words of FMT-11.
package enum LifecycleEvent: String, Sendable, Hashable, CaseIterable {
    /// Its terminal loses the focus.
    case willResignActive
    /// It is stopped (SIGTSTP).
    case didEnterBackground
    /// It is continued (SIGCONT): whoever does that looks at it, whether its terminal says so or not.
    case willEnterForeground
    /// Its terminal has the focus again. Of a program that is stopped this alone says nothing (FMT-11).
    case didBecomeActive
}

extension VisibilityModel {
    /// Two hooks let what waits go on: becoming active undoes the loss of the focus only, entering the foreground undoes both.
    package mutating func take(_ event: LifecycleEvent) {
        switch event {
        case .willResignActive: isInactive = true
        case .didEnterBackground: isInBackground = true
        case .willEnterForeground: (isInBackground, isInactive) = (false, false)
        case .didBecomeActive: isInactive = false
        }
    }
}

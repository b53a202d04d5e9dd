import Dashboard
import Testing

@testable import adtop

/// What the dashboard begins with.
@Suite struct DashboardSetupTests {
    /// Unless the setting says otherwise, a locale without the glyphs gets those of ASCII.
    @Test(
        arguments: [(nil, true, false), (nil, false, true), (true, true, true), (false, false, false)]
            as [(Bool?, Bool, Bool)])
    func theLocaleDecidesAboutASCII(_ setting: Bool?, isUTF8: Bool, isASCII: Bool) throws {
        var screen = ScreenSettings()
        screen.isASCII = setting
        #expect(try DashboardSetup.settings(screen, isUTF8: isUTF8).isASCII == isASCII)
    }
}

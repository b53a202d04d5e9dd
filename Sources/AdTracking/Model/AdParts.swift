package import Ports

/// A companion banner of an ad. Only its `trackingEvents` are typed; everything else is for display.
package struct Companion: Hashable, Sendable {
    /// The attribute `required` of its list: `all`, `any` or `none`.
    package var required: String?
    /// Width in pixels; nil when absent or empty.
    package var width: Int?
    package var height: Int?
    /// `width`, `height`, `id`, `adSlotId` and the other attributes, unchanged.
    package var attributes: JSONObject
    package var events: [TrackingEvent]
    /// Other members, unchanged: `staticResource`, `htmlResource`, `companionClickThrough` and so on.
    package var extras: JSONObject

    package init(
        required: String? = nil, width: Int? = nil, height: Int? = nil, attributes: JSONObject = JSONObject(),
        events: [TrackingEvent] = [], extras: JSONObject = JSONObject()
    ) {
        self.required = required
        self.width = width
        self.height = height
        self.attributes = attributes
        self.events = events
        self.extras = extras
    }
}

/// A verification script of an ad: listed and never run.
package struct Verification: Hashable, Sendable {
    /// A script or program to load.
    package struct Resource: Hashable, Sendable {
        package var apiFramework: String?
        package var isBrowserOptional: Bool?
        package var uri: String?

        package init(apiFramework: String? = nil, isBrowserOptional: Bool? = nil, uri: String? = nil) {
            self.apiFramework = apiFramework
            self.isBrowserOptional = isBrowserOptional
            self.uri = uri
        }
    }

    package var vendor: String?
    package var parameters: String?
    package var javaScript: Resource?
    package var executable: Resource?
    package var events: [TrackingEvent]
    package var extras: JSONObject

    package init(
        vendor: String? = nil, parameters: String? = nil, javaScript: Resource? = nil, executable: Resource? = nil,
        events: [TrackingEvent] = [], extras: JSONObject = JSONObject()
    ) {
        self.vendor = vendor
        self.parameters = parameters
        self.javaScript = javaScript
        self.executable = executable
        self.events = events
        self.extras = extras
    }
}

/// An icon over an ad, such as AdChoices: listed and never loaded.
package struct Icon: Hashable, Sendable {
    package var program: String?
    /// URI of the static resource.
    package var imageURI: String?
    package var clickThrough: String?
    /// `program`, `width`, `xPosition` and the other attributes, unchanged.
    package var attributes: JSONObject
    /// Resources, clicks and view tracking, unchanged.
    package var extras: JSONObject

    package init(
        program: String? = nil, imageURI: String? = nil, clickThrough: String? = nil,
        attributes: JSONObject = JSONObject(), extras: JSONObject = JSONObject()
    ) {
        self.program = program
        self.imageURI = imageURI
        self.clickThrough = clickThrough
        self.attributes = attributes
        self.extras = extras
    }
}

/// The break, ad and event that a finding is about, as the metadata names them; unredacted text from outside.
package struct FindingPlace: Hashable, Sendable {
    /// Id of the break; empty where the metadata gives none.
    package var adBreak: String
    /// Start of the break, which distinguishes breaks of one id.
    package var start: UnixTime
    /// Id of the ad; nil for the break itself.
    package var ad: String?
    /// Name of the event; nil for the ad itself.
    package var event: String?

    package init(adBreak: String, start: UnixTime, ad: String? = nil, event: String? = nil) {
        (self.adBreak, self.start, self.ad, self.event) = (adBreak, start, ad, event)
    }
}

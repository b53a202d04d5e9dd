import Ports

/// Media times of sent beacons that are not remembered one by one any more. A beacon that is due there may have been sent
/// under any name, so it is not sent.
struct ForgottenTimes: Hashable, Sendable {
    /// Nothing that is due there is sent: an earlier session of this viewer reached it.
    private(set) var reached = DateStretches()
    private var forgotten = DateStretches()

    var stretches: [ClosedRange<UnixTime>] { forgotten.all }

    /// The beacon of that time is forgotten.
    mutating func add(_ time: UnixTime) {
        forgotten.add(time)
    }

    /// An earlier session of this viewer reached these media dates.
    mutating func sendNothing(in dates: DateStretches) {
        reached.add(dates)
    }

    /// The viewer continues in another session: what is unknown of this one is unknown there.
    mutating func add(_ former: Self) {
        reached.add(former.reached)
        forgotten.add(former.forgotten)
    }

    /// All beacons up to that time are.
    mutating func add(through time: UnixTime) {
        forgotten.add(through: time)
    }

    /// The media has other dates from now on.
    mutating func redate(by shift: Duration) {
        (reached, forgotten) = (reached.redated(by: shift), forgotten.redated(by: shift))
    }

    /// Whether anything at most `reach` away from `time` is forgotten, or an earlier session of the viewer reached that time.
    func reaches(_ time: UnixTime, within reach: Duration) -> Bool {
        reached.contains(time) || forgotten.contains(time, within: reach)
    }
}

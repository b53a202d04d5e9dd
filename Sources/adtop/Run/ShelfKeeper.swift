import CreativeCache
import CreativeServer
import Monitoring
import Ports
import Session

/// Puts the creatives of sessions and tools into a creative cache.
struct ShelfKeeper: CreativeKeeper {
    let shelf: CreativeShelf
    let time: any TimeSource

    // Runs outside the session's executor: a shelf may write to a disk, and a slow disk must not slow tracking.
    @concurrent func keep(_ orders: [CreativeOrder]) async -> [KeptCreative] {
        orders.map { order in
            let id = order.creative.id
            let outcome = shelf.put(order.creative, life: order.life)
            guard outcome.isStored else { return KeptCreative(id: id.text, problem: outcome.clause) }
            let start = time.now().uptime
            guard shelf.creative(id) != nil else {
                return KeptCreative(id: id.text, problem: "could not be read back")
            }
            return KeptCreative(id: id.text, took: time.now().uptime - start)
        }
    }
}

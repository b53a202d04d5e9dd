import CreativeCache
import CreativeServer
import Monitoring
import Ports

/// A creative cache as sessions and tools put creatives into it.
struct ShelfKeeper: CreativeKeeper {
    let shelf: CreativeShelf
    let time: any TimeSource

    // Not on the session's executor: a shelf may write to a disk, and a slow one must not slow tracking.
    @concurrent func keep(_ orders: [CreativeOrder]) async -> [KeptCreative] {
        orders.map { order in
            let id = order.creative.id
            let outcome = shelf.put(order.creative, life: order.life)
            guard outcome.isStored else { return KeptCreative(id: id.text, problem: outcome.clause) }
            let start = time.now().uptime
            guard shelf.creative(id) != nil else {
                return KeptCreative(id: id.text, problem: "it could not be read back")
            }
            return KeptCreative(id: id.text, took: time.now().uptime - start)
        }
    }
}

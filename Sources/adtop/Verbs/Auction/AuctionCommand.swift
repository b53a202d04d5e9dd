import ArgumentParser

/// `adtop auction`
struct AuctionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "auction", abstract: "Run auctions, request bids and explain prices.",
        discussion: """
            Amounts are exact decimals everywhere. docs/auction.md describes the documents.

            Examples:
              adtop auction run auction.json
              adtop auction bid --pbs http://127.0.0.1:8080/openrtb2/auction --live
              adtop auction bucket 0.30 1.87 --granularity medium
              adtop auction targeting answer.json
            """,
        subcommands: [
            AuctionRunCommand.self, AuctionBidCommand.self, AuctionBucketCommand.self, AuctionTargetingCommand.self,
        ])
}

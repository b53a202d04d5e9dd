/// A documented kind of vectors.
struct VectorKind: Sendable {
    /// The schema, or the layout of files without a schema.
    let name: String
    /// The claim on a JSON document of a folder; nil for a document of another kind.
    let claim: @Sendable (VectorDocument, VectorFolder) -> VectorClaim?

    init(name: String, claim: @escaping @Sendable (VectorDocument, VectorFolder) -> VectorClaim?) {
        self.name = name
        self.claim = claim
    }

    /// A kind whose documents name it as their schema and list their cases under `member`; `check` receives each case.
    init(
        schema: String, casesIn member: String,
        check: @escaping @Sendable (VectorNode) throws(VectorProblem) -> [Difference]
    ) {
        self.init(name: schema) { document, folder in
            guard document.schema == schema else { return nil }
            return folder.claim(document, kind: schema, casesIn: member, check: check)
        }
    }

    /// The table of the kinds that this program runs. The first one that claims a document runs it.
    static let all: [VectorKind] = [
        SequenceVectors.sequence,
        PlaylistVectors.playlist,
        PlaylistVectors.bench,
        PlaylistVectors.schedule,
        SequenceVectors.splice,
        PlaylistVectors.parserSurvey,
        ScenarioVectors.scenario,
        DocumentVectors.document,
        MacroVectors.macros,
        PlaybackVectors.adTimeline,
        PlaybackVectors.mediaSelection,
        FileVectors.generatedDocuments,
        FileVectors.manifest,
        CacheVectors.cacheStore,
        CacheVectors.qualitySelection,
        CacheVectors.mediaMapping,
        CacheVectors.zoneCache,
        LoopbackVectors.loopback,
        FormatVectors.adState,
        FormatVectors.nativeCase,
        FormatVectors.rewardedCase,
        AuctionVectors.auction,
        BiddingVectors.priceBuckets,
        BiddingVectors.targetingKeys,
        AuctionVectors.prebidAnswers,
        BiddingVectors.auctionMacros,
        BiddingVectors.currencies,
        BiddingVectors.keywordMatches,
        BiddingVectors.amazonAnswers,
        BiddingVectors.requests,
        ProviderVectors.tracking,
        SampleVectors.sampleLineItems,
        SampleVectors.sampleRates,
        SampleVectors.sampleRequest,
        SampleVectors.sampleResponse,
    ]
}

import AdTracking
import Ports
import Testing

/// The contract of ``AdMetadataProvider``, for every row of ``ProviderTable``.
@Suite struct ProviderContractTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var type: any AdMetadataProvider.Type
        var testDescription: String { type.name }

        /// - Throws: if the provider has no samples.
        var samples: ProviderSamples {
            get throws {
                try #require(
                    ProviderSamples.all[type.name],
                    "'\(type.name)' is in ProviderTable and has no samples: add them to ProviderSamples.all")
            }
        }
    }

    static let rows = ProviderTable.providers.map(Row.init)

    @Test(arguments: rows, ProviderContract.checks.keys.sorted())
    func holds(_ row: Row, _ check: String) throws {
        let contract = ProviderContract(make: { row.type.init($0) }, samples: try row.samples)
        let run = try #require(ProviderContract.checks[check])
        let problems = run(contract)
        #expect(problems.isEmpty, "\(problems.prefix(5))")
    }

    @Test func namesAreDistinctWords() {
        let names = ProviderSetting.allCases.map(\.rawValue)
        #expect(Set(names).count == names.count && names.first == "auto" && names.last == "none")
        for name in names {
            #expect(!name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") })
            #expect(ProviderSetting(rawValue: name)?.rawValue == name)
        }
        #expect(ProviderSetting(rawValue: "no such provider") == nil)
    }

    /// `auto` finds each provider by the address of its stream; its name is enough, whatever the address.
    @Test(arguments: rows) func isFound(_ row: Row) throws {
        let stream = try WebURL(row.samples.mediaURL)
        #expect(ProviderSetting.auto.provider(for: stream)?.name == row.type.name)
        #expect(ProviderSetting(row.type).provider(for: try WebURL("http://h/"))?.name == row.type.name)
        #expect(ProviderSetting.none.provider(for: stream) == nil)
    }

    /// The answers that opened the session are enough to open it again (FLT-15).
    @Test(arguments: rows) func continuesInAnotherProcess(_ row: Row) throws {
        let contract = ProviderContract(make: { row.type.init($0) }, samples: try row.samples)
        #expect(contract.successor() != nil)
    }

    // MARK: The checks can fail

    /// The checks hold for any dialect, not only for one in JSON whose session is opened by GET.
    @Test(arguments: ProviderContract.checks.keys.sorted()) func anotherDialectKeepsIt(_ check: String) throws {
        let contract = ProviderContract(make: { LineProvider($0) }, samples: LineProvider.samples)
        let run = try #require(ProviderContract.checks[check])
        #expect(run(contract) == [])
    }

    /// A provider may be content with one document; one that states so and polls is found.
    @Test(arguments: [false, true]) func oneDocumentMayBeEnough(isPolled: Bool) throws {
        var samples = LineProvider.samples
        samples.distances = nil
        let make = { @Sendable (options: ProviderOptions) -> any AdMetadataProvider in
            var provider = LineProvider(options)
            provider.isPolled = isPolled
            return provider
        }
        #expect(ProviderContract(make: make, samples: samples).polls().isEmpty == !isPolled)
    }

    /// Each way to break the contract is found by the check that is named for it.
    @Test(arguments: LineProvider.Defect.allCases) func defectIsFound(_ defect: LineProvider.Defect) throws {
        let contract = ProviderContract(make: { LineProvider($0, defect: defect) }, samples: LineProvider.samples)
        let run = try #require(ProviderContract.checks[defect.check])
        #expect(run(contract) != [])
    }
}

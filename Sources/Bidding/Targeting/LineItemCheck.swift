package import Ports

/// Checks whether the line items of a header bidding setup cover all possible prices (BID-21).
package struct LineItemCheck: Sendable {
    /// Rules of the findings.
    package enum Rule: String, FindingCode {
        case gap = "bucket-without-line-item"
        case duplicate = "duplicate-target"
        case cpm = "cpm-differs-from-bucket"
        case currency = "cpm-in-other-currency"
        case priority = "not-ecpm"
        case missingCPM = "missing-cpm"
        case unreachable = "unreachable-keyword"
        case inactive = "inactive-target"
    }

    /// Most bucket values checked.
    package static let maximumBuckets = 100_000
    private static let section = "BID-21"

    package var granularity: PriceGranularity
    /// The key whose value is the bucket.
    package var key = "hb_pb"
    /// Higher buckets are not reported as missing.
    package var maximum: ExactDecimal
    /// Rates for line items whose currency is not that of the file; without a rate they are not compared.
    package var rates = CurrencyTable()

    package init(granularity: PriceGranularity, maximum: ExactDecimal) {
        self.granularity = granularity
        self.maximum = maximum
    }

    /// A line item and one bucket text it targets.
    private struct Target {
        var index: Int
        var item: LineItem
        var text: String
    }

    /// Number of buckets, number of covered buckets, and findings.
    package struct Outcome: Sendable {
        package var buckets: Int
        package var covered: Int
        package var findings: [Finding]
    }

    package func outcome(_ file: LineItemFile) -> Outcome {
        let prices = PriceBucket.values(granularity, limit: Self.maximumBuckets).filter {
            $0.isPositive && $0 <= maximum
        }
        let texts = prices.map { $0.text(decimals: granularity.precision) }
        let known = Dictionary(zip(texts, prices)) { first, _ in first }
        let targets = targets(of: file)
        var findings: [Finding] = []
        var covered: Set<String> = []
        for target in targets {
            let problems = problems(of: target, price: known[target.text], currency: file.currency)
            findings += problems
            if target.item.isActive, target.item.priority == .ecpm, known[target.text] != nil {
                covered.insert(target.text)
            }
        }
        findings += duplicates(targets)
        findings += gaps(texts, covered: covered)
        return Outcome(buckets: texts.count, covered: texts.count { covered.contains($0) }, findings: findings)
    }

    private func targets(of file: LineItemFile) -> [Target] {
        file.items.enumerated().flatMap { index, item in
            item.clauses.filter { $0.key == key && !$0.isNegated }.flatMap { clause in
                (clause.values ?? []).map { Target(index: index, item: item, text: $0) }
            }
        }
    }

    private func problems(of target: Target, price: ExactDecimal?, currency: String) -> [Finding] {
        let item = target.item
        var problems: [Finding] = []
        func report(_ rule: Rule, _ severity: Severity, _ message: String) {
            problems.append(
                Finding(
                    rule: rule, severity: severity, message: "\(item.id): \(message)",
                    path: "lineItems[\(target.index)]", section: Self.section))
        }
        if !item.isActive { report(.inactive, .info, "targets \(key)=\(target.text) but is not active") }
        if item.priority != .ecpm {
            report(.priority, .error, "has priority \(item.priority.rawValue), so it does not compete by price")
        }
        guard let price else {
            let isAbove = ExactDecimal(target.text).map { $0 > maximum } ?? false
            if !isAbove { report(.unreachable, .warning, "\(key)=\(target.text) is not a value of the granularity") }
            return problems
        }
        guard let cpm = item.cpm else {
            report(.missingCPM, .error, "targets \(key)=\(target.text) but has no CPM")
            return problems
        }
        let own = item.currency ?? currency
        guard own != currency else {
            if cpm != price { report(.cpm, .error, "the CPM is \(cpm) for \(key)=\(target.text)") }
            return problems
        }
        guard let converted = rates.convert(cpm, from: own, to: currency) else {
            report(
                .currency, .error,
                "the CPM is \(cpm) \(own) for \(key)=\(target.text) in \(currency); there is no exchange rate")
            return problems
        }
        // A converted amount rarely equals a bucket to the sixth decimal.
        if converted.rounded(toDecimals: granularity.precision) != price {
            report(
                .cpm, .error, "the CPM is \(cpm) \(own), \(converted) \(currency), for \(key)=\(target.text)")
        }
        return problems
    }

    private func duplicates(_ targets: [Target]) -> [Finding] {
        var seen: [String: Target] = [:]
        return targets.filter(\.item.isActive).compactMap { target in
            let others = target.item.clauses.map(\.text).filter { !$0.hasPrefix("\(key)=") }.sorted()
            let sizes = target.item.sizes.map(\.description).sorted()
            let place = "\(target.text) \(others.joined(separator: " & ")) \(sizes.joined(separator: ","))"
            guard let first = seen[place] else {
                seen[place] = target
                return nil
            }
            return Finding(
                rule: Rule.duplicate, severity: .warning,
                message: "\(target.item.id): \(key)=\(target.text) is already targeted by \(first.item.id)",
                path: "lineItems[\(target.index)]", section: Self.section)
        }
    }

    /// One finding for each sequence of buckets that no line item targets.
    private func gaps(_ texts: [String], covered: Set<String>) -> [Finding] {
        texts.split { covered.contains($0) }.compactMap { stretch in
            guard let first = stretch.first, let last = stretch.last else { return nil }
            let what = stretch.count == 1 ? "\(key)=\(first)" : "\(key)=\(first) to \(last) (\(stretch.count) values)"
            return Finding(
                rule: Rule.gap, severity: .error, message: "no line item targets \(what)",
                section: Self.section)
        }
    }
}

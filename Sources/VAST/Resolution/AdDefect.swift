extension VASTDocument.Ad {
    /// The mandatory element that an inline ad lacks, as a predicate: the ad is lost with error 101 (VAST-13). Only the first linear
    /// creative counts, because it is the one that plays; nonlinear ads and companions need neither Duration nor MediaFiles.
    package var defect: String? { creatives.isEmpty ? "has no creative" : linears.first?.defect }
}

extension VASTDocument.Linear {
    /// What keeps every player from using the creative, as a predicate (VAST-13).
    ///
    /// A Mezzanine or an InteractiveCreativeFile is enough of a file: stitchers and players that run code may need no MediaFile. Whether one
    /// player can play one of the files is another question (``MediaSelection``).
    package var defect: String? {
        guard let durationMilliseconds, durationMilliseconds > 0 else { return "has no usable Duration" }
        let hasFile = !mediaFiles.isEmpty || !mezzanines.isEmpty || !interactiveFiles.isEmpty
        return hasFile ? nil : "has no MediaFile"
    }
}

extension ResolutionFailure {
    /// Error code of an ad without a mandatory element (VAST 4.3 section 2.3.6.3).
    package static let defectCode = 101
}

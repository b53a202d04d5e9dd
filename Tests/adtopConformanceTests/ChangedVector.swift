import Foundation
import Ports
import TestSupport

@testable import adtop_conformance

/// A case of a vector whose expectation is changed leaf by leaf.
struct ChangedVector {
    /// Where the expectation of a kind is.
    enum Expectation {
        /// The whole document.
        case document
        /// These members of the document.
        case members(Set<String>)
        /// These members of each item of a list; with nil all but these.
        case items(of: String, Set<String>, except: Set<String> = [])
        /// Another file of the same folder.
        case file(String)
    }

    let vector: VectorCase
    let folder: VectorFolder
    let document: VectorDocument
    let leaves: [JSONLeaf]

    /// The cases of one document.
    static func all(in file: String, kind: String, _ expectation: Expectation) throws -> [ChangedVector] {
        let url = URL(fileURLWithPath: file)
        let folder = try VectorFolder(url.deletingLastPathComponent().path)
        let document = try folder.document(url.lastPathComponent)
        guard let claim = VectorSearch.claim(on: document, in: folder) else { return [] }
        return try claim.cases.enumerated().map { index, vector in
            var leaves: [JSONLeaf]
            switch expectation {
            case .document: leaves = JSONLeaf.all(in: document.root.value)
            case .members(let names):
                leaves = JSONLeaf.all(in: document.root.value).filter { names.contains($0.name(at: 0)) }
            case .items(let list, let names, let others):
                let count = document.root.value[list]?.arrayValue?.count ?? 1
                leaves = JSONLeaf.all(in: document.root.value).filter { leaf in
                    guard leaf.name(at: 0) == list, leaf.steps.count > 2, leaf.steps[1] == .item(index % count) else {
                        return false
                    }
                    return names.isEmpty ? !others.contains(leaf.name(at: 2)) : names.contains(leaf.name(at: 2))
                }
            case .file(let name): leaves = JSONLeaf.all(in: try folder.document(name).root.value)
            }
            return ChangedVector(vector: vector, folder: folder, document: document, leaves: leaves)
        }
    }

    /// At most `count` of the vectors, first those that add most paths that the ones before do not have.
    static func choice(of vectors: [ChangedVector], count: Int) -> [ChangedVector] {
        var left = vectors.map { (vector: $0, patterns: Set($0.leaves.map(\.pattern))) }
        var chosen: [ChangedVector] = []
        var known: Set<String> = []
        while chosen.count < count {
            let gains = left.map { $0.patterns.subtracting(known).count }
            guard let most = gains.max(), let index = gains.firstIndex(of: most) else { break }
            let next = left.remove(at: index)
            known.formUnion(next.patterns)
            chosen.append(next.vector)
        }
        return chosen
    }

    /// The leaves whose change makes no case fail.
    func survivors(_ expectation: Expectation) throws -> [JSONLeaf] {
        guard case .file(let name) = expectation else {
            return leaves.filter { !isNoticed(document.root.value, $0) }
        }
        let root = try folder.document(name).root.value
        return leaves.filter { !fails(document, in: folder.replacing(name, with: $0.changing(root))) }
    }

    private func isNoticed(_ root: JSONValue, _ leaf: JSONLeaf) -> Bool {
        fails(VectorDocument(file: document.file, root: VectorNode(leaf.changing(root))), in: folder)
    }

    /// Whether the run of a document fails, with this case or because the document is not a vector any more.
    private func fails(_ document: VectorDocument, in folder: VectorFolder) -> Bool {
        guard let claim = VectorSearch.claim(on: document, in: folder) else { return true }
        let same = claim.cases.filter { $0.name == vector.name }
        return same.isEmpty || same.contains { !$0.differences().isEmpty }
    }
}

extension JSONLeaf {
    /// The name of the member at a depth; empty for an item.
    fileprivate func name(at depth: Int) -> String {
        guard depth < steps.count, case .member(_, let name) = steps[depth] else { return "" }
        return name
    }
}

public import PushAdapter

/// Finds the tags and aliases that another vendor would refuse.
///
/// ```swift
/// let check = try MigrationCheck(of: .tag, from: tpns, to: jpush)
/// if let refusal = check.refusal(of: "Ärger") { print(refusal) }
/// ```
public struct MigrationCheck: Sendable {
    /// The kind of text that moves.
    public enum Kind: String, Sendable {
        /// A tag of devices.
        case tag
        /// An alias of a device.
        case alias
    }

    /// The kind of text that moves.
    public let kind: Kind
    /// The setting that the new vendor needs if it builds aliases from something else; nil if it needs none.
    public let setting: String?
    private let old: (id: ProviderID, limit: LimitKey, limits: Limits)
    private let new: (id: ProviderID, limit: LimitKey, limits: Limits)

    /// Refuses the same vendor twice with `invalidArgument`, and a new vendor without this kind with `unsupported`.
    public init(of kind: Kind, from: VendorProfile, to: VendorProfile) throws(PushError) {
        guard from.id != to.id else { throw PushError(.invalidArgument, "give two different vendors") }
        let limit: LimitKey = kind == .tag ? .tagLength : .aliasLength
        let feature: Feature = kind == .tag ? .addTags : .setAlias
        self.kind = kind
        old = (from.id, limit, from.capabilities.limits)
        guard case .unsupported(let reason) = to.capabilities[feature] else {
            new = (to.id, limit, to.capabilities.limits)
            setting = nil
            return
        }
        // A setting may build aliases from accounts, whose limits then apply.
        guard kind == .alias, let other = to.variants.first(where: { $0.capabilities[feature].isPossible }) else {
            throw PushError(.unsupported, "no \(kind) can move to \(to.id): \(reason)")
        }
        new = (to.id, .accountLength, other.capabilities.limits)
        setting = other.setting
    }

    /// Why the new vendor refuses a text, and whether the old one does too; nil for a text that can move.
    public func refusal(of text: String) -> String? {
        guard let reason = refusal(of: text, new) else { return nil }
        return reason + (refusal(of: text, old) == nil ? "" : "; \(old.id) refuses it too")
    }

    private func refusal(of text: String, _ side: (id: ProviderID, limit: LimitKey, limits: Limits)) -> String? {
        do throws(PushError) {
            try side.limits.check(.text(text, side.limit, kind == .tag ? "a tag" : "an alias"), of: side.id)
            return nil
        } catch {
            return error.message
        }
    }
}

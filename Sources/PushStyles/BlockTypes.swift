public import FoundationEssentials

// The guides' block types under their names. They are global there, so that code that names one stays as it is.

/// Gets the code, the tags and the sequence number.
public typealias JPUSHTagsOperationCompletion = @Sendable (_ iResCode: Int, _ iTags: Set<String>?, _ seq: Int) -> Void

/// Gets the code, the tag in a set, the sequence number, and whether the device has it.
public typealias JPUSHTagValidOperationCompletion =
    @Sendable (_ iResCode: Int, _ iTags: Set<String>?, _ seq: Int, _ isBind: Bool) -> Void

/// Gets the code, the alias and the sequence number.
public typealias JPUSHAliasOperationCompletion = @Sendable (_ iResCode: Int, _ iAlias: String?, _ seq: Int) -> Void

/// EngageLab's name for it.
public typealias MTPushTagsOperationCompletion = JPUSHTagsOperationCompletion

/// EngageLab's name for it.
public typealias MTPushTagValidOperationCompletion = JPUSHTagValidOperationCompletion

/// EngageLab's name for it.
public typealias MTPushAliasOperationCompletion = JPUSHAliasOperationCompletion

/// Gets the code, the id or the type of the Live Activity, the token and the sequence number.
public typealias MTPLiveActivityTokenCompletion =
    @Sendable (_ iResCode: Int, _ iLiveActivityId: String?, _ token: Data?, _ seq: Int) -> Void

extension SequencedPushService {
    /// Gets the code, and the tags and the alias of the call. The guides write it in place, as a block or as the method
    /// `tagsAliasCallback:tags:alias:`.
    public typealias TagsAliasCallback = @Sendable (_ iResCode: Int, _ tags: Set<String>?, _ alias: String?) -> Void
}

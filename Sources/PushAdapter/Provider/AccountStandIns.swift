/// A provider whose vendor has accounts where others have aliases and phone numbers.
public protocol AccountStandIns: PushProvider {
    /// The account type of phone numbers.
    static var phoneAccountType: Int { get }
    /// The same app, with an account type that it uses for aliases.
    func standingForAliases(accountType: Int) -> Self
}

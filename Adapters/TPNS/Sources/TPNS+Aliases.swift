public import PushCore

extension TPNS: DeviceAliasing {
    /// Accounts are listed without their types, so nobody can tell which one is the alias: always refused.
    public func readAlias(of device: DeviceID) throws(PushError) -> Exchange<Alias?> {
        throw PushError(.unsupported, "TPNS lists accounts without their types", operation: .readAlias)
    }

    /// Binds an account of `aliasAccountType`, which takes the place of the one before. Removing is refused with `unsupported`: the
    /// vendor unbinds by name.
    public func setAlias(_ alias: Alias?, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        guard let type = aliasAccountType, let alias else {
            throw PushError(
                .unsupported, "TPNS unbinds an account by its name; use updateAccounts(.remove(...))",
                operation: alias == nil ? .removeAlias : .setAlias)
        }
        var binding = try updateAccounts(.add([Account(name: alias.rawValue, type: type)]), of: device)
        binding.operation = .setAlias
        return binding
    }
}

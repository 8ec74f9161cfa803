#if SQLite
    import PushAdapter

    extension Target {
        /// The column `kind`: 0 device, 1 alias, 2 account without a type, 3 account with one. The unique index has no
        /// null columns, because SQLite treats nulls as different.
        var storedKind: Int64 {
            switch self {
            case .device: 0
            case .alias: 1
            case .account(let account): account.type == nil ? 2 : 3
            }
        }

        /// The column `account_type`: 0 for all other kinds.
        var storedType: Int64 {
            if case .account(let account) = self { Int64(account.type ?? 0) } else { 0 }
        }

        /// Nil for an unknown kind.
        init?(storedKind: Int64, text: String, type: Int64) {
            switch storedKind {
            case 0: self = .device(DeviceID(rawValue: text))
            case 1: self = .alias(Alias(rawValue: text))
            case 2: self = .account(Account(name: text))
            case 3: self = .account(Account(name: text, type: Int(type)))
            default: return nil
            }
        }
    }
#endif

#if SQLite
    import PushRouter

    /// The ids of a user's bindings: 39 bits from a hash of the user, then 24 bits for the binding.
    ///
    /// SQLite stores a table in the order of its ids, so a user's bindings lie side by side. With numbers as ids, the
    /// inner pages for a million users fit in 2 MiB of cache. A lookup takes about half as long as in a table that is
    /// ordered by the users' texts. The hash is part of the file's format.
    enum BindingPlace {
        /// The number of ids of a user.
        static let count: Int64 = 1 << 24

        /// The first id of a user. Another user may have the same ids, so a lookup compares the user too.
        static func first(of user: UserID) -> Int64 { Int64(hash(user.rawValue) >> 25) * count }

        /// Where the search for a target's free id begins.
        static func preferred(for target: String) -> Int64 { Int64(hash(target) >> 40) }

        /// FNV-1a, with a mix that lets every byte change the upper bits.
        private static func hash(_ text: String) -> UInt64 {
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            hash = (hash ^ (hash >> 32)) &* 0x9e37_79b9_7f4a_7c15
            return hash ^ (hash >> 29)
        }
    }
#endif

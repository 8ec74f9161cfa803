#if PostgreSQL
    package import FoundationEssentials

    /// A value for a `$1` of a statement, in the server's binary format.
    ///
    /// A text is BYTEA, because PostgreSQL's TEXT cannot hold a NUL byte and compares by locale. A date is DOUBLE
    /// PRECISION, in seconds since 2001, because PostgreSQL's own type would round it. It is on this machine's clock
    /// and is converted to the server's.
    package enum Argument {
        case text(String?)
        /// A text without a NUL byte, as the server's own TEXT.
        case name(String)
        case bytes([UInt8]?)
        case integer(Int64?)
        case number(Double?)
        case date(Date?)
        case integers([Int64?])
        case dates([Date?])
        case numbers([Double?])
        case texts([[UInt8]?])

        /// The type's number, the same in every server.
        var type: UInt32 {
            switch self {
            case .integer: 20
            case .date, .number: 701
            case .text, .bytes: 17
            case .name: 25
            case .integers: 1016
            case .dates, .numbers: 1022
            case .texts: 1001
            }
        }

        /// Appends the value; false for null.
        /// - Parameter lead: how many seconds the server's clock is ahead.
        func write(to bytes: inout [UInt8], lead: TimeInterval) -> Bool {
            switch self {
            case .text(let text?): bytes.append(contentsOf: text.utf8)
            case .name(let name): bytes.append(contentsOf: name.utf8)
            case .bytes(let blob?): bytes.append(contentsOf: blob)
            case .integer(let number?): bytes.append(number)
            case .number(let number?): bytes.append(number.bitPattern)
            case .date(let date?): bytes.append(date.addingTimeInterval(lead))
            case .integers(let numbers): bytes.append(numbers, of: 20) { $0.append($1) }
            case .dates(let dates): bytes.append(dates, of: 701) { $0.append($1.addingTimeInterval(lead)) }
            case .numbers(let numbers): bytes.append(numbers, of: 701) { $0.append($1.bitPattern) }
            case .texts(let texts): bytes.append(texts, of: 17) { $0.append(contentsOf: $1) }
            case .text(nil), .bytes(nil), .integer(nil), .number(nil), .date(nil): return false
            }
            return true
        }
    }

    extension [UInt8] {
        fileprivate mutating func append(_ number: some FixedWidthInteger) {
            Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
        }

        fileprivate mutating func append(_ date: Date) { append(date.timeIntervalSinceReferenceDate.bitPattern) }

        /// Appends a one-dimensional array: a header, then each value after its length.
        fileprivate mutating func append<Value>(
            _ values: [Value?], of type: UInt32, _ write: (inout [UInt8], Value) -> Void
        ) {
            append(Int32(values.isEmpty ? 0 : 1))
            append(Int32(1))
            append(type)
            guard !values.isEmpty else { return }
            append(Int32(values.count))
            append(Int32(1))
            for value in values {
                guard let value else {
                    append(Int32(-1))
                    continue
                }
                let place = count
                append(Int32(0))
                write(&self, value)
                let length = UInt32(count - place - 4)
                for index in 0..<4 { self[place + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index)) }
            }
        }
    }
#endif

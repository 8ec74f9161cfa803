import PushAdapter

extension [UInt8] {
    /// Appends the target without its kind.
    mutating func append(_ target: Target) {
        if case .account(let account) = target, let type = account.type {
            append(number: type << 1 ^ type >> (Int.bitWidth - 1))
        }
        append(text: target.text)
    }

    mutating func append(text: String) {
        append(number: text.utf8.count)
        append(contentsOf: text.utf8)
    }

    mutating func append(number: Int) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}

extension ArraySlice<UInt8> {
    /// Reads a target after its kind; nil if the bytes end early or the kind is unknown.
    mutating func takeTarget(_ kind: UInt8) -> Target? {
        var type: Int?
        if kind == 3 {
            guard let number = takeNumber() else { return nil }
            type = Int(bitPattern: UInt(bitPattern: number) >> 1) ^ -(number & 1)
        }
        guard let text = takeText() else { return nil }
        return switch kind {
        case 0: .device(DeviceID(text))
        case 1: .alias(Alias(text))
        case 2, 3: .account(Account(name: text, type: type))
        default: nil
        }
    }

    mutating func takeText() -> String? {
        guard let length = takeNumber(), length >= 0, length <= count else { return nil }
        let text = String(decoding: prefix(length), as: UTF8.self)
        self = dropFirst(length)
        return text
    }

    mutating func takeNumber() -> Int? {
        var number: UInt = 0
        for shift in stride(from: 0, to: 70, by: 7) {
            guard let byte = popFirst() else { return nil }
            number |= UInt(byte & 0x7F) << UInt(shift)
            if byte < 0x80 { return Int(bitPattern: number) }
        }
        return nil
    }
}

extension HostileHTTP2 {
    /// The type of a frame.
    package struct FrameType: Hashable, Sendable, ExpressibleByIntegerLiteral {
        package let rawValue: UInt8
        package init(integerLiteral value: UInt8) { rawValue = value }

        package static let data: FrameType = 0
        package static let headers: FrameType = 1
        package static let priority: FrameType = 2
        package static let resetStream: FrameType = 3
        package static let settings: FrameType = 4
        package static let pushPromise: FrameType = 5
        package static let ping: FrameType = 6
        package static let goAway: FrameType = 7
        package static let windowUpdate: FrameType = 8
        package static let continuation: FrameType = 9
    }

    package struct Setting: Hashable, Sendable, ExpressibleByIntegerLiteral {
        package let rawValue: Int
        package init(integerLiteral value: Int) { rawValue = value }

        package static let tableSize: Setting = 1
        package static let push: Setting = 2
        package static let streams: Setting = 3
        package static let window: Setting = 4
        package static let frameSize: Setting = 5
    }

    package typealias Settings = [(Setting, Int)]

    /// One frame. Flags: 0x1 ends a stream or acknowledges, 0x4 ends a header, 0x8 means padding, 0x20 a priority.
    package struct Frame: Sendable {
        package var type: FrameType
        package var flags: UInt8
        package var stream: Int
        package var payload: [UInt8]

        package init(type: FrameType, flags: UInt8, stream: Int, payload: [UInt8]) {
            self.type = type
            self.flags = flags
            self.stream = stream
            self.payload = payload
        }

        /// The payload without its padding.
        package var content: [UInt8] {
            guard flags & 0x8 != 0, let padding = payload.first else { return payload }
            return Array(payload.dropFirst().dropLast(Int(padding)))
        }

        /// The settings in a SETTINGS frame.
        package var settings: [Setting: Int] {
            var settings: [Setting: Int] = [:]
            for start in stride(from: 0, to: payload.count - 5, by: 6) {
                let id = Int(payload[start]) << 8 | Int(payload[start + 1])
                settings[Setting(integerLiteral: id)] = HostileHTTP2.number(payload[(start + 2)..<(start + 6)])
            }
            return settings
        }

        /// The bytes on the wire, whether they make sense or not.
        package var bytes: [UInt8] {
            var bytes = Array(HostileHTTP2.word(payload.count).dropFirst())
            bytes += [type.rawValue, flags]
            bytes += HostileHTTP2.word(stream)
            bytes += payload
            return bytes
        }
    }

    /// How a response ends its stream.
    package enum Ending: Sendable {
        /// The last bytes end it.
        case withData
        /// A separate frame ends it, as with many servers and proxies.
        case alone
        /// Trailers end it.
        case withTrailers
        /// It never ends, and has no length.
        case never
    }

    /// Four bytes, the highest first.
    package static func word(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

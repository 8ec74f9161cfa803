import CNGHTTP2
import Glibc
import PushIO

/// The functions that nghttp2 calls while a session reads and writes, on the I/O thread.
enum SessionCallbacks {
    /// Made once and never freed.
    nonisolated(unsafe) static let all: OpaquePointer? = {
        var callbacks: OpaquePointer?
        nghttp2_session_callbacks_new(&callbacks)
        nghttp2_session_callbacks_set_before_frame_send_callback(callbacks, beforeSend)
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, beginFrame)
        nghttp2_session_callbacks_set_on_header_callback2(callbacks, header)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, data)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, frame)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, streamClose)
        return callbacks
    }()

    nonisolated(unsafe) static let options: OpaquePointer? = {
        var options: OpaquePointer?
        nghttp2_option_new(&options)
        // Connections count frames themselves: a burst of frames that need an answer must not cost the requests in
        // flight.
        nghttp2_option_set_max_outbound_ack(options, 20_000)
        return options
    }()

    private static func connection(_ context: UnsafeMutableRawPointer?) -> HTTP2Connection? {
        context.map { Unmanaged<HTTP2Connection>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func stream(_ session: OpaquePointer?, _ id: Int32) -> HTTP2Stream? {
        guard id > 0, let pointer = nghttp2_session_get_stream_user_data(session, id) else { return nil }
        return Unmanaged<HTTP2Stream>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Ends the stream, and nothing else.
    private static let streamFailure = NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    /// Ends the connection.
    private static let connectionFailure = NGHTTP2_ERR_CALLBACK_FAILURE.rawValue

    // MARK: Writing

    static let readBody: nghttp2_data_source_read_callback = { _, _, buffer, length, flags, source, context in
        guard let connection = connection(context), let pointer = source?.pointee.ptr, let flags else {
            return Int(connectionFailure)
        }
        let stream = Unmanaged<HTTP2Stream>.fromOpaque(pointer).takeUnretainedValue()
        let count = connection.read(stream, into: UnsafeMutableRawBufferPointer(start: buffer, count: length))
        guard count >= 0 else { return Int(streamFailure) }
        if stream.source.isAtEnd { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return count
    }

    private static let beforeSend: nghttp2_before_frame_send_callback = { session, frame, context in
        guard let frame, frame.pointee.hd.type == NGHTTP2_HEADERS.rawValue else { return 0 }
        if let stream = stream(session, frame.pointee.hd.stream_id) { connection(context)?.noteSent(stream) }
        return 0
    }

    // MARK: Reading

    private static let beginFrame: nghttp2_on_begin_frame_callback = { session, head, context in
        guard let head = head?.pointee, let connection = connection(context) else { return connectionFailure }
        let isResponse: Bool
        switch UInt32(head.type) {
        case NGHTTP2_HEADERS.rawValue:
            let stream = stream(session, head.stream_id)
            stream?.wasHeard = true
            isResponse = stream != nil
        case NGHTTP2_DATA.rawValue: isResponse = head.length > 0 || head.flags & endStream != 0
        default: isResponse = false
        }
        return connection.noteFrame(isNoise: !isResponse) ? 0 : connectionFailure
    }

    private static let header: nghttp2_on_header_callback2 = { session, frame, name, value, _, context in
        guard let frame, let connection = connection(context) else { return connectionFailure }
        guard let stream = stream(session, frame.pointee.hd.stream_id), !stream.call.isOver else { return 0 }
        let (name, value) = (nghttp2_rcbuf_get_buf(name), nghttp2_rcbuf_get_buf(value))
        let engine = connection.engine
        let held = stream.held
        let isTaken = stream.receive(
            UnsafeRawBufferPointer(start: name.base, count: name.len),
            UnsafeRawBufferPointer(start: value.base, count: value.len), engine.names,
            limit: engine.configuration.maxHeaderBytes)
        engine.noteUnfinished(stream.held - held)
        return isTaken ? 0 : streamFailure
    }

    private static let data: nghttp2_on_data_chunk_recv_callback = { session, _, id, bytes, count, context in
        guard let connection = connection(context) else { return connectionFailure }
        guard let stream = stream(session, id), stream.breach == nil else { return 0 }
        connection.noteBody(count)
        // The request is over. No caller waits for bytes that come before the server knows that.
        guard !stream.call.isOver else { return 0 }
        let isTaken = stream.receive(
            UnsafeRawBufferPointer(start: bytes, count: count), limit: connection.engine.configuration.maxResponseBytes)
        guard isTaken else {
            connection.abandon(stream, stream.error(0))
            return 0
        }
        connection.engine.noteUnfinished(count)
        return 0
    }

    private static let frame: nghttp2_on_frame_recv_callback = { session, frame, context in
        guard let frame, let connection = connection(context) else { return connectionFailure }
        let head = frame.pointee.hd
        if head.type == NGHTTP2_DATA.rawValue, head.length > 0, frame.pointee.data.padlen == head.length,
            !connection.noteFrame(isNoise: true)
        {
            return connectionFailure
        }
        switch UInt32(head.type) {
        case NGHTTP2_SETTINGS.rawValue where head.flags & isAck == 0: connection.noteSettings()
        case NGHTTP2_PING.rawValue where head.flags & isAck != 0: connection.notePong()
        case NGHTTP2_GOAWAY.rawValue:
            let goodbye = frame.pointee.goaway
            connection.noteGoAway(
                goodbye.error_code,
                UnsafeBufferPointer(start: goodbye.opaque_data, count: goodbye.opaque_data_len))
        case NGHTTP2_RST_STREAM.rawValue: stream(session, head.stream_id)?.isResetByServer = true
        // A server pushes only after a request, and by then it knows that it must not.
        case NGHTTP2_PUSH_PROMISE.rawValue: return connectionFailure
        case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
            guard let stream = stream(session, head.stream_id), !stream.call.isOver else { return 0 }
            if head.type == NGHTTP2_HEADERS.rawValue { stream.endHeader() }
            if head.flags & endStream != 0 { connection.finish(stream) }
        default: break
        }
        return 0
    }

    private static let streamClose: nghttp2_on_stream_close_callback = { session, id, code, context in
        if let stream = stream(session, id) { connection(context)?.remove(stream, code) }
        return 0
    }

    private static let endStream = UInt8(NGHTTP2_FLAG_END_STREAM.rawValue)
    private static let isAck = UInt8(NGHTTP2_FLAG_ACK.rawValue)
}

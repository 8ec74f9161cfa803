import PushAdapter
import Testing

@testable import PushClient

@Suite("What was made of the last message")
struct MessageMemoTests {
    private let memo = MessageMemo<Int>()
    private let message = Message(notification: Notification(body: "one"))

    @Test("copies of one message share what was made")
    func copies() throws {
        let copy = message
        #expect(try memo.value(of: message) { () throws(PushError) in 1 } == 1)
        #expect(try memo.value(of: copy) { () throws(PushError) in 2 } == 1)
    }

    @Test("a changed message, an equal one, and another moment get a new value")
    func others() throws {
        var changed = message
        changed.platforms = [.ios]
        let equal = Message(notification: Notification(body: "one"))
        #expect(try memo.value(of: message, at: 1) { () throws(PushError) in 1 } == 1)
        #expect(try memo.value(of: message, at: 2) { () throws(PushError) in 2 } == 2)
        #expect(try memo.value(of: changed, at: 2) { () throws(PushError) in 3 } == 3)
        #expect(try memo.value(of: message, at: 2) { () throws(PushError) in 4 } == 4)
        #expect(try memo.value(of: equal, at: 2) { () throws(PushError) in 5 } == 5)
    }

    @Test("a refusal is not kept")
    func refusal() throws {
        #expect(throws: PushError.self) {
            try memo.value(of: message) { () throws(PushError) in throw PushError(.tooLong, "too long") }
        }
        #expect(try memo.value(of: message) { () throws(PushError) in 2 } == 2)
    }
}

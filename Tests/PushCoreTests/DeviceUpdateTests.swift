import PushAdapter
import Testing

@Suite("Updates of a device")
struct DeviceUpdateTests {
    @Test(
        "an update that says nothing, or two things of one tag, is refused",
        arguments: [
            DeviceUpdate(), DeviceUpdate(removing: ["a"]), DeviceUpdate(tags: .add([]), removing: ["a"]),
            DeviceUpdate(tags: .add(["a"]), removing: ["a"]), DeviceUpdate(tags: .remove(["a"]), removing: ["b"]),
            DeviceUpdate(alias: .set("")), DeviceUpdate(phone: .set("")),
        ])
    func refused(update: DeviceUpdate) {
        let error = #expect(throws: PushError.self) { try update.check() }
        #expect(error?.kind == .invalidArgument)
    }

    @Test(
        "a change of tags, alias or phone number is taken",
        arguments: [
            DeviceUpdate(tags: .add(["a"]), removing: ["b"]), DeviceUpdate(tags: .remove(["a"])),
            DeviceUpdate(tags: .replace([])), DeviceUpdate(alias: .clear), DeviceUpdate(phone: .set("13800138000")),
        ])
    func taken(update: DeviceUpdate) throws {
        try update.check()
    }
}

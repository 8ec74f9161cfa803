import FoundationEssentials
import PushAdapter
import PushSimulation

extension TPNSSimulator {
    /// Ends a push: stops its delivery, recalls it, or cancels it before it begins.
    func end(_ call: Call, _ fields: Fields, _ app: inout AppState) throws(Refusal) -> Answer {
        // Samples write pushid, the table writes pushId: keys are case-insensitive.
        let id = try fields.needText("pushId")
        guard let push = app.pushes[id] else { throw .unknownPush }
        switch call {
        case .cancel:
            guard push.status == "PUSH_WAIT" else { throw .invalid("pushId") }
            app.end(id, as: "PUSH_CANCELED")
        case .stop:
            guard !app.isIOS, ["all", "account_list", "tag"].contains(push.object.audience) else {
                throw .invalid("pushId")
            }
            app.end(id, as: "PUSH_DELETED_PUSH_MSG")
        default:
            guard settings.recalls else { throw .invalid("pushId") }
            app.end(id, as: "PUSH_REVOKED")
            for device in app.devices.keys where app.devices[device]?.inbox.has(id) == true {
                app.devices[device]?.inbox.withdraw(id)
            }
        }
        return Answer()
    }

    func makePlan(_ fields: Fields, _ app: inout AppState, _ now: Date) throws(Refusal) -> Answer {
        let name = try fields.needText("planName")
        let description = try fields.text("planDescribe") ?? ""
        guard name.unicodeScalars.count <= Rules.planName else { throw .invalid("planName") }
        guard description.unicodeScalars.count <= Rules.planDescription else { throw .invalid("planDescribe") }
        guard app.planWindow.take(settings.plansPerDay, now) else { throw .tooFast }
        let id = String(newNumber())
        app.plans[id] = (name, description)
        let time = JSONValue(Int(now.timeIntervalSince1970))
        return Answer(
            message: "success",
            fields: [
                "result": [
                    "planId": .string(id), "planName": .string(name), "planDescribe": .string(description),
                    "planPushSource": "api", "createdAt": time, "updateAt": time,
                ]
            ])
    }

    /// Takes a txt or csv file with one account or token per line. Refuses a zip, although the vendor accepts it,
    /// because the simulator does not unpack it.
    func upload(_ request: SimulatedRequest, _ app: inout AppState) throws(Refusal) -> Answer {
        guard let part = request.formParts["file"] else { throw .missing("file") }
        let name = part.fileName ?? ""
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard Rules.packageName.contains(name.unicodeScalars.count), ["txt", "csv", "zip"].contains(ending) else {
            throw Refusal(1_008_011, "upload file error")
        }
        guard !part.bytes.isEmpty else { throw Refusal(1_008_012, "upload empty file") }
        guard part.bytes.count < Rules.packageBytes, ending != "zip",
            let text = String(validating: part.bytes, as: UTF8.self)
        else { throw Refusal(1_008_011, "upload file error") }
        let lines = text.split(whereSeparator: \.isNewline).map(String.init).filter { line in
            Rules.accountLine.contains(line.unicodeScalars.count)
        }
        let id = newNumber()
        app.packages[id] = lines
        return Answer(fields: ["uploadId": JSONValue(id)])
    }
}

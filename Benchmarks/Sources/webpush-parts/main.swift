// What a push costs, part by part. A target of the library's package, because only that sees the parts. Prints one line
// of JSON for each: its name and its nanoseconds of CPU, the median of five. The form is that of bench-micro.
// Usage: webpush-parts [PART-OF-A-NAME]

import PushAdapter

let only = CommandLine.arguments.dropFirst().first ?? ""
for part in try Part.all() where part.name.contains(only) {
    let time: JSONValue = ["name": .string(part.name), "nanoseconds": .init(integerLiteral: try part.measure())]
    print(String(decoding: JSONWriter.bytes(of: time), as: UTF8.self))
}

/// The usage in a command's help, which the library prints in one line of any length.
enum Usage {
    /// Breaks the line of the usage where it does not fit, between two options.
    static func fitted(_ help: String) -> String {
        help.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("USAGE: ") ? broken($0) : String($0) }.joined(separator: "\n")
    }

    private static func broken(_ usage: Substring) -> String {
        let parts = usage.matches(of: /\[.*?\](?= |$)|(?:--\S+ )?<\S+>(?: \.\.\.)?|\S+/).map(\.output)
        var (lines, line): ([String], String) = ([], "")
        for part in parts {
            if !line.isEmpty, line.count + 1 + part.count > Output.columns {
                lines.append(line)
                line = "      "
            }
            line += (line.isEmpty ? "" : " ") + part
        }
        return (lines + [line]).joined(separator: "\n")
    }
}

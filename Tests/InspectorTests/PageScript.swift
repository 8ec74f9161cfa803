import PushAdapter
import Testing

/// Scripts that look at a whole page.
enum PageScript {
    /// The elements that go beyond the sides of the window.
    static let tooWide = """
        const isWide = (element) => {
          const box = element.getBoundingClientRect();
          return box.left < -1 || box.right > document.documentElement.clientWidth + 1;
        };
        const wide = [...document.querySelectorAll("body *")].filter(isWide).map((part) => part.outerHTML.slice(0, 80));
        if (document.documentElement.scrollWidth > window.innerWidth) wide.push("the page");
        return wide;
        """

    /// The texts with a contrast below 4.5:1 to the color that they are on, and the number of texts. Where that is a
    /// gradient, the color below it counts.
    static let weakTexts = """
        const numbers = (color) => color.match(/[0-9.]+/g).map(Number);
        const linear = (value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        const luminance = (color) => {
          const [red, green, blue] = numbers(color).map((value) => linear(value / 255));
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const ground = (element) => {
          for (let place = element; place; place = place.parentElement) {
            const color = getComputedStyle(place).backgroundColor;
            if ((numbers(color)[3] ?? 1) === 1) return color;
          }
          return "rgb(255, 255, 255)";
        };
        const isText = (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "";
        const texts = [...document.querySelectorAll("body *")].filter((element) => {
          return element.checkVisibility() && [...element.childNodes].some(isText);
        });
        const weak = texts.filter((element) => {
          const both = [getComputedStyle(element).color, ground(element)].map(luminance).sort((a, b) => b - a);
          return (both[0] + 0.05) / (both[1] + 0.05) < 4.5;
        });
        return { weak: weak.map((element) => element.outerHTML.slice(0, 80)), count: texts.length };
        """

    /// What a user can act on, and has no name for a screen reader.
    static let nameless = """
        const parts = [...document.querySelectorAll("button, input, select, textarea, summary, a, progress")];
        const name = (part) => part.getAttribute("aria-label") || part.textContent.trim()
          || [...(part.labels ?? [])].map((label) => label.textContent.trim()).join("");
        return parts.filter((part) => part.checkVisibility() && !name(part)).map((part) => part.outerHTML.slice(0, 80));
        """
}

extension WebDriver {
    /// Expects that, in both color schemes, nothing is wider than the window, too weak to read or without a name.
    /// - Parameters:
    ///   - leastTexts: How many texts the page has at least, so that an empty page fails.
    ///   - screenshot: The name of the pictures to keep; none without it.
    func expectReadable(leastTexts: Int, screenshot: String? = nil) async throws {
        for scheme in ["light", "dark"] {
            try await prefer(scheme)
            #expect(try await run(PageScript.tooWide) == [], "\(scheme)")
            #expect(try await run(PageScript.nameless) == [], "\(scheme)")
            let texts = try await run(PageScript.weakTexts)
            #expect(texts["weak"] == [], "\(scheme)")
            #expect((texts["count"]?.intValue ?? 0) >= leastTexts)
            if let screenshot { try await keepScreenshot(as: "\(screenshot)-\(scheme)") }
        }
    }
}

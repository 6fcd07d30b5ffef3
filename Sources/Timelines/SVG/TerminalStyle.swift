/// The colours of a window, as a style sheet.
struct TerminalStyle {
  let theme: SessionPicture.Theme

  var text: String {
    switch theme {
    case .light: Self.shapes + Self.sheet(of: .light, Self.light)
    case .dark: Self.shapes + Self.sheet(of: .dark, Self.dark)
    case .auto:
      Self.shapes + Self.sheet(of: .light, Self.light)
        + "@media (prefers-color-scheme: dark) {\n" + Self.sheet(of: .dark, Self.dark) + "}\n"
    }
  }

  private static let shapes = """
    text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
    .title { font: 12px system-ui, sans-serif; text-anchor: middle; }
    .verb, .mistake { font-weight: bold; }
    .window, .edge { stroke-width: 1; }

    """

  private static func sheet(
    of palette: Palette,
    _ language: [SessionPicture.Role: String]
  ) -> String {
    var text = """
      .window { fill: \(palette["ground"]); stroke: \(palette["edge"]); }
      .bar { fill: \(palette["band"]); }
      .edge { stroke: \(palette["edge"]); }
      .button { fill: \(palette["edge"]); }
      text { fill: \(palette["ink"]); }
      .title { fill: \(palette["muted"]); }

      """
    for role in SessionPicture.Role.allCases where role != .plain {
      let colour = language[role] ?? palette[shared(role)]
      text += ".\(role.rawValue) { fill: \(colour); }\n"
    }
    return text
  }

  /// Returns the name of the role's colour in the shared palette.
  private static func shared(_ role: SessionPicture.Role) -> String {
    switch role {
    case .plain, .verb, .keyword, .string, .number: "ink"
    case .prompt, .comment, .dim, .resting: "muted"
    case .name: "hand"
    case .inFlight: "warn"
    case .succeeded: "good"
    case .failed, .mistake: "bad"
    }
  }

  /// The colours that only command syntax uses.
  private static let light: [SessionPicture.Role: String] = [
    .verb: "#0550ae", .keyword: "#953800", .string: "#116329", .number: "#0a5c7a",
  ]

  private static let dark: [SessionPicture.Role: String] = [
    .verb: "#79c0ff", .keyword: "#ffa657", .string: "#a5d6a7", .number: "#76d9e6",
  ]
}

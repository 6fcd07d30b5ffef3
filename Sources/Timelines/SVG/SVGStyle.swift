/// The style sheet of a picture.
///
/// Colours are variables, so that a page that embeds the picture may set them. Each rule also
/// states the value, for viewers that do not know variables.
struct SVGStyle {
  let theme: SVGTimeline.Theme

  /// The CSS. It applies only inside `.rehearse-timeline`, so that the rest of a page does not
  /// change.
  var text: String {
    let palette = theme == .dark ? Palette.dark : .light
    var css = ".\(Self.root){\(palette.variables)}\n"
    if theme == .auto {
      css += "@media(prefers-color-scheme:dark){.\(Self.root){\(Palette.dark.variables)}}\n"
    }
    for (selector, rule) in Self.rules {
      let names = selector.split(separator: ",").map { ".\(Self.root) \($0)" }
      css += "\(names.joined(separator: ",")){\(Self.resolve(rule, palette))}\n"
    }
    return css
  }

  static let root = "rehearse-timeline"

  private static let font =
    "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"

  /// The rules. `fill:$ink` expands to the colour and its variable.
  private static let rules: [(String, String)] =
    [
      ("text", "font:12px \(font);fill:$ink;white-space:pre"),
      (".name", "font-weight:600"),
      (".small,.sub", "font-size:11px;font-weight:400;fill:$muted"),
      (".tag", "font-size:11px;fill:$bar-ink"),
      (".title", "font-size:14px;font-weight:600"),
      (".card", "fill:$ground;stroke:$edge"),
      (".grid", "stroke:$grid;fill:none"),
      (".axis", "stroke:$muted;fill:none"),
      (".pointer", "stroke:$warn;stroke-width:1.5;stroke-dasharray:4 3;fill:none"),
      (".pointed", "font-size:11px;font-weight:600;fill:$warn"),
      (".now", "fill:$band;stroke:$grid"),
      (".gap", "fill:$ground;stroke:$edge;stroke-dasharray:2 2"),
      (".bar", "fill:$bar;stroke:$bar-edge"),
      (".silent", "fill:none;stroke:$bar-edge"),
      (".released", "fill:$ground;stroke:$calm;stroke-dasharray:3 3"),
      (
        ".waiting",
        "stroke:$calm;stroke-width:2;stroke-dasharray:1 4;stroke-linecap:round;fill:none"
      ),
      (".phase", "stroke-width:3;fill:none"),
      (".resting", "stroke:$edge"), (".inFlight", "stroke:$bar-edge"),
      (".succeeded", "stroke:$good"), (".failed", "stroke:$bad"),
      (".m path", "fill:none;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round"),
      (".full path", "stroke:$ground"),
      (".m circle,.m .shape", "stroke:$ground;stroke-width:1.5"),
    ]
    + MarkShape.Tone.allCases.flatMap { tone in
      let name = tone.rawValue
      return [
        (".\(name) circle,.\(name) .shape", "fill:$\(name)"),
        (".hollow.\(name) circle", "fill:$ground;stroke:$\(name)"),
        (".hollow.\(name) path,.none.\(name) path", "stroke:$\(name)"),
      ]
    }

  private static func resolve(_ rule: String, _ palette: Palette) -> String {
    rule.split(separator: ";").map { declaration in
      guard let dollar = declaration.firstIndex(of: "$") else { return String(declaration) }
      let (property, role) = (
        declaration[..<dollar], String(declaration[declaration.index(after: dollar)...])
      )
      return "\(property)\(palette[role]);\(property)var(--\(role))"
    }.joined(separator: ";")
  }
}

/// The colours of the pictures by purpose. Each is readable on its background.
struct Palette {
  let colours: [(role: String, value: String)]

  static let light = Palette([
    "#ffffff", "#d0d7de", "#1f2328", "#59636e", "#e7ecf0", "#f6f8fa", "#cfe3fd", "#2f72c4",
    "#0a3069", "#1a7f37", "#cf222e", "#9a6700", "#8250df", "#6e7781",
  ])
  static let dark = Palette([
    "#0d1117", "#30363d", "#e6edf3", "#9198a1", "#21262d", "#161b22", "#15386b", "#4c94f0",
    "#cae2ff", "#3fb950", "#ff6a62", "#d29922", "#ab7df8", "#848d97",
  ])

  private static let roles = [
    "ground", "edge", "ink", "muted", "grid", "band", "bar", "bar-edge",
    "bar-ink", "good", "bad", "warn", "hand", "calm",
  ]

  private init(_ values: [String]) {
    colours = zip(Self.roles, values).map { ($0, $1) }
  }

  /// The palette as CSS variables: `--ground:#ffffff;…`.
  var variables: String {
    colours.map { "--\($0.role):\($0.value);" }.joined()
  }

  subscript(role: String) -> String {
    colours.first { $0.role == role }?.value ?? "#000000"
  }
}

import MockHTTP

/// What the items' server answers.
enum ItemServer {
  static let url = "http://items.example"
  /// A handful, where PokeMaster has thirty.
  static let allItems = 1...5

  /// Item 1 after 100ms, item 2 after 200ms and so on, each one's species 100ms after it was asked
  /// for.
  static func routes(for ids: ClosedRange<Int> = allItems) throws -> [Route] {
    try zip(ids, samples).flatMap { id, sample in
      [
        Route.get(
          try PathTemplate(parsing: "/items/\(id)"),
          .json(#"{"name": "\#(sample.name)", "species": "/species/\#(id)"}"#)
            .after(.milliseconds(100 * id))
        ),
        Route.get(
          try PathTemplate(parsing: "/species/\(id)"),
          .json(#"{"color": "\#(sample.color)"}"#).after(.milliseconds(100))
        ),
      ]
    }
  }

  /// No item comes, and each request takes 200ms to find out.
  static func failingRoutes() throws -> [Route] {
    try allItems.map { id in
      Route.get(try PathTemplate(parsing: "/items/\(id)"), .status(503).after(.milliseconds(200)))
    }
  }

  private static let samples = [
    (name: "Bulbasaur", color: "green"), (name: "Ivysaur", color: "green"),
    (name: "Venusaur", color: "green"), (name: "Charmander", color: "red"),
    (name: "Charmeleon", color: "red"),
  ]
}

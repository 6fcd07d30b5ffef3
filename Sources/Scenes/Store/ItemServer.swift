import MockHTTP

/// The answers of the item server.
package enum ItemServer {
  package static let url = "http://items.example"
  /// Five items; PokeMaster has thirty.
  package static let allItems = 1...5

  /// Returns routes that answer item 1 after 100ms, item 2 after 200ms and so on, and each item's
  /// species after another 100ms.
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

  /// Returns routes that fail every request after 200ms.
  static func failingRoutes() throws -> [Route] {
    try allItems.map { id in
      Route.get(try PathTemplate(parsing: "/items/\(id)"), .status(503).after(.milliseconds(200)))
    }
  }

  /// The first answer about an item.
  package struct Page: Decodable {
    package let name: String
    package let species: String
  }

  /// The second answer, at the address in the first one.
  package struct Species: Decodable {
    package let color: String
  }

  private static let samples = [
    (name: "Bulbasaur", color: "green"), (name: "Ivysaur", color: "green"),
    (name: "Venusaur", color: "green"), (name: "Charmander", color: "red"),
    (name: "Charmeleon", color: "red"),
  ]
}

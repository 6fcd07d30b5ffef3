package import Harness

extension CoverageOptions {
  /// A table in the report only, of the machines of this library and of a user's own.
  package init() {
    self.init(machines: MachineCatalog.names) { MachineCatalog.diagrams(of: $0) }
  }
}

package import Harness

/// Connects the transition coverage of reports with the machines of the library and of the user.
extension CoverageOptions {
  /// Creates options for a table in the report, with the machines of this library and of the user.
  package init() {
    self.init(machines: MachineCatalog.names) { MachineCatalog.diagrams(of: $0) }
  }
}

// The system's C library, under one name on every platform.
//
// Only the branch of Glibc was ever compiled. This also holds for each `#if canImport(Darwin)`, `canImport(Musl)` and
// `os(macOS)` in the package: `docs/install.md` lists the platforms.
#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#elseif canImport(Darwin)
@_exported public import Darwin
#endif

// Re-exports Combine on Apple platforms and its equivalent OpenCombine elsewhere, so that importing
// `Pipelines` is enough.
#if canImport(Combine)
@_exported public import Combine
#else
@_exported public import OpenCombine
#endif

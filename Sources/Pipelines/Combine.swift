// Combine where it exists, and OpenCombine, its twin, elsewhere. Whoever imports `Pipelines` has it
// too, and need not choose.
#if canImport(Combine)
@_exported public import Combine
#else
@_exported public import OpenCombine
#endif

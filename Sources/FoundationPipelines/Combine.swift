// Re-exports Combine with its schedulers of Dispatch and Foundation, or their equivalents of
// OpenCombine, so that `import FoundationPipelines` takes the place of `import Combine`.
@_exported public import Pipelines

#if !canImport(Combine)
@_exported public import OpenCombineDispatch
@_exported public import OpenCombineFoundation
#endif

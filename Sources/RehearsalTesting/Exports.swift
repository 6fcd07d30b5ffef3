// Re-exports what tests use: the types of a search, and the methods of its run and its stage. So one import is enough.
@_exported public import Exploring
@_exported public import Staging

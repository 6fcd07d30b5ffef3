// A test names the types of a search, and calls methods of its run and its stage: one import will do.
@_exported public import Exploring
@_exported public import Staging

// Whoever describes scenes meets the stage, the server, the loadables and transcripts in them: one
// import will do.
@_exported public import Harness
@_exported public import Loading
@_exported public import MockHTTP
@_exported public import RemoteLoading
@_exported public import Staging

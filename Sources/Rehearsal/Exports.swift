// Re-exports what descriptions of scenes use: the stage, the server, loadables and transcripts. So one import is enough.
@_exported public import Harness
@_exported public import Loading
@_exported public import MockHTTP
@_exported public import RemoteLoading
@_exported public import Staging

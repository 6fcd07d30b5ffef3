// Whoever describes scenes meets the stage, the server and the loadables in them: one import will do.
@_exported public import Loading
@_exported public import MockHTTP
@_exported public import RemoteLoading
@_exported public import Staging

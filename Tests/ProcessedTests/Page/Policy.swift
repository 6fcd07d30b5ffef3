import Loading

extension LoadingSupport {
  nonisolated var loadingPolicy: LoadingPolicy { .processed }
}

import Loading

struct Profile {
  @Loadable(policy: .processedWrapper) var name: LoadableState<String> = .absent
  @LoadingProcess(policy: .processedWrapper) var saving: SingleProcessState = .idle
}

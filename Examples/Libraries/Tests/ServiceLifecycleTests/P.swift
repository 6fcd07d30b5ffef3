import Testing
import RehearsalTesting
@Suite struct ServiceLifecyclePlaceholder { @Test(.explored) func x() async {} }

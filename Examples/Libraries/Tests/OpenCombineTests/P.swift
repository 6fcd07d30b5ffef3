import Testing
import RehearsalTesting
@Suite struct OpenCombinePlaceholder { @Test(.explored) func x() async {} }

import FoundationPipelines
import RemoteLoading

/// A decoder of JSON for `decode(type:decoder:)`. The authors use `JSONDecoder`, whose errors have
/// other texts than those of the library.
struct ResponseDecoder: TopLevelDecoder {
  func decode<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws -> Value {
    try RemoteDecoding().decode(type, from: body)
  }
}

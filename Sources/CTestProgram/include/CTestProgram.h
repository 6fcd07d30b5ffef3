#pragma once

// The hashing of Swift's standard library is seeded like SWIFT_DETERMINISTIC_HASHING, when a program that contains this
// target starts. So the order in dictionaries and sets is the same in each run of a test bundle.

#pragma once
#include <stdbool.h>

// The hashing of Swift's standard library is seeded like SWIFT_DETERMINISTIC_HASHING, when a program that contains this
// target starts. So the order in dictionaries and sets is the same in each run of a test bundle.

// Whether the failures of XCTest go to `rehearsal_take_xctest_failure`, which RehearsalTesting defines. It returns whether
// it takes the failure. Otherwise XCTest records it.
bool ctp_catches_failures(void);

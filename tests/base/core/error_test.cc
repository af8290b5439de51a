// SPDX-License-Identifier: Apache-2.0
// base/error.h.
#include "base/error.h"

#include <gtest/gtest.h>

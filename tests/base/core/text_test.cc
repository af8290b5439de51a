// SPDX-License-Identifier: Apache-2.0
// base/text.h.
#include "base/text.h"

#include <gtest/gtest.h>

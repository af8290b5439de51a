// SPDX-License-Identifier: Apache-2.0
// base/suggest.h.
#include "base/suggest.h"

#include <gtest/gtest.h>

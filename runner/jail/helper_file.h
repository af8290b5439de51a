// SPDX-License-Identifier: Apache-2.0
// Finds calaboose-jail and makes sure that it is the one that was installed.
// Place: runner/jail.
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace calaboose::jail {

/// Opens the helper (O_PATH): `path`, or when empty calaboose-jail beside the running program, else
/// in
/// ../libexec/calaboose. It is executed through the descriptor, so nobody can swap it afterwards.
///
/// Errors  kCannotEnforce: missing; not a regular file; not owned by root or this user; writable by
/// others.
Result<Fd> open_helper(const std::string& path);

}  // namespace calaboose::jail

// SPDX-License-Identifier: Apache-2.0
// Places in the jail's tree: where things are attached, and which file systems are ours to create
// in. Place: runner/jail/helper.
#pragma once

#include <cstdint>

namespace calaboose::jail {

/// Everything below is relative to this directory; a mount made here.
void set_place_root(int fd);

/// Notes that the file system of `fd` was made for this jail, so that entries may be created on it.
bool remember_own(int fd);
/// False with EROFS for any other: the host's files are not touched.
bool is_own(int fd);

/// O_PATH of `path` below `dir`, following no link.
int open_below(int dir, const char* path);
/// Opens the directory that will hold `relative`, making missing ones; `name` is set to the last
/// part.
int open_parent(const char* relative, const char*& name);
/// The place where something is to be attached: exists already, or is made on a file system of
/// ours.
int open_target(const char* target, bool directory, std::uint32_t mode);

/// Attaches the detached mount `tree` at `target` and closes it.
bool attach(int tree, const char* target, bool directory);
/// Adds attributes to a detached mount and everything in it, and cuts it off from propagation.
bool set_attributes(int tree, std::uint64_t attributes);

}  // namespace calaboose::jail

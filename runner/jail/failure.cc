// SPDX-License-Identifier: Apache-2.0
// Step and errno to cause and remedy.
// Place: runner/jail. Pure.
#include "runner/jail/failure.h"

#include <cerrno>
#include <string>

#include "base/text.h"

namespace calaboose::jail {
namespace {

struct StepText {
  Step step;
  std::string_view name;
};

constexpr StepText kSteps[] = {
    {Step::kPlan, "reading the plan"},
    {Step::kGroups, "leaving root's groups"},
    {Step::kOwnerMapping, "mapping root's files to the jail's user"},
    {Step::kNamespaces, "making the namespaces"},
    {Step::kIdMaps, "writing the user and group map"},
    {Step::kIds, "becoming the jail's user"},
    {Step::kCloneInit, "starting the jail's init"},
    {Step::kLifeline, "tying the jail to its supervisor"},
    {Step::kHostname, "setting session and host name"},
    {Step::kLoopback, "raising the loopback interface"},
    {Step::kPropagation, "making mounts private"},
    {Step::kRoot, "making the root directory"},
    {Step::kDirectory, "making a directory, file or link"},
    {Step::kBind, "binding a path"},
    {Step::kDevice, "checking a device"},
    {Step::kTmpfs, "mounting a tmpfs"},
    {Step::kProc, "mounting /proc"},
    {Step::kMask, "masking a path"},
    {Step::kPivot, "entering the root directory"},
    {Step::kReadOnlyRoot, "making the root directory read-only"},
    {Step::kNoNestedNamespaces, "forbidding nested user namespaces"},
    {Step::kNoNewPrivileges, "no new privileges"},
    {Step::kCapabilities, "dropping the capabilities"},
    {Step::kCloneServer, "starting the server's process"},
    {Step::kKeyring, "leaving the session keyring"},
    {Step::kLimits, "setting resource limits"},
    {Step::kProcessState, "setting session, mask, priority and processors"},
    {Step::kWorkingDirectory, "entering the working directory"},
    {Step::kLandlock, "restricting files with Landlock"},
    {Step::kDescriptors, "closing descriptors"},
    {Step::kSeccomp, "installing the system call filter"},
    {Step::kExecve, "executing the program"},
};

/// The path that the failed step was about, if it was about one.
std::string subject(const Failure& failure, const plan::Plan& plan) {
  if (failure.step == Step::kLandlock && failure.index < plan.landlock.size()) {
    return " (" + printable(plan.landlock[failure.index].path) + ")";
  }
  if (failure.step != Step::kLandlock && failure.index < plan.mounts.size()) {
    const auto& mount = plan.mounts[failure.index];
    const bool other = !mount.source.empty() && mount.source != mount.target;
    return " (" + printable(mount.target) + (other ? " from " + printable(mount.source) : "") + ")";
  }
  if (failure.step == Step::kWorkingDirectory) {
    return " (" + printable(plan.cwd) + ")";
  }
  return {};
}

std::string namespaces_hint(int error) {
  if (error == ENOSPC || error == EUSERS) {
    return "no more user namespaces are allowed here: raise `sysctl user.max_user_namespaces` (0 "
           "turns them off)";
  }
  if (error == EINVAL) {
    return "the kernel lacks one of the user, mount, pid, ipc, uts, cgroup and net namespaces";
  }
  return "unprivileged user namespaces are forbidden here: on Debian `sysctl "
         "kernel.unprivileged_userns_clone=1`, on "
         "Ubuntu 23.10 and later install the AppArmor profile of calaboose-jail, in a container "
         "allow unshare and "
         "clone in its seccomp profile";
}

std::string bind_hint(const Failure& failure, const plan::Plan& plan) {
  const bool mapped =
      failure.index < plan.mounts.size() && plan.mounts[failure.index].identity_mapped;
  switch (failure.error) {
    case ESTALE:
      return "the path is no longer the file or directory that was approved; start again";
    case ELOOP:
      return "a part of the path has become a symbolic link; grant the real path";
    case ENOENT:
    case ENOTDIR:
      return "the path disappeared while the jail was being made";
    case EROFS:
      return "its place inside a granted directory does not exist, and the jail creates nothing on "
             "the host: create it "
             "first";
    case EACCES:
      return "the path cannot be reached by the user that starts the jail";
    default:
      break;
  }
  if (mapped) {
    return "started as root, a granted path needs a file system that supports id-mapped mounts "
           "(ext4, xfs, btrfs, "
           "tmpfs since Linux 6.3); start as an ordinary user or move the path";
  }
  return "check that mount calls are allowed where the runner itself runs (a container's seccomp "
         "or AppArmor profile)";
}

std::string hint(const Failure& failure, const plan::Plan& plan) {
  switch (failure.step) {
    case Step::kNamespaces:
    case Step::kOwnerMapping:
      return namespaces_hint(failure.error);
    case Step::kIdMaps:
      return failure.error == EPERM || failure.error == EACCES
                 ? namespaces_hint(EPERM)
                 : "the outer user or group id is not available in this user namespace";
    case Step::kBind:
      return bind_hint(failure, plan);
    case Step::kDevice:
      return "the host's file is not the device of that name";
    case Step::kProc:
      return "something is mounted over parts of /proc, as containers do (masked paths): run the "
             "container with an "
             "unmasked /proc (docker: --security-opt systempaths=unconfined), or calaboose outside "
             "it";
    case Step::kPropagation:
    case Step::kRoot:
    case Step::kTmpfs:
    case Step::kMask:
    case Step::kPivot:
    case Step::kReadOnlyRoot:
    case Step::kDirectory:
      return failure.error == EPERM || failure.error == EACCES
                 ? namespaces_hint(EPERM)
                 : "the kernel must be Linux 5.13 or later with the new mount calls";
    case Step::kLandlock:
      return failure.error == ENOSYS || failure.error == EOPNOTSUPP
                 ? "Landlock is not active: needs Linux 5.13 or later with `landlock` in the "
                   "kernel's lsm= list"
                 : "the path of this rule does not exist in the jail";
    case Step::kSeccomp:
      return "the kernel must support seccomp filters with user notification (Linux 5.0 or later)";
    case Step::kWorkingDirectory:
      return "the working directory must be granted, and no part of it may be a symbolic link";
    case Step::kGroups:
    case Step::kIds:
      return "started as root, the runner needs CAP_SETUID and CAP_SETGID";
    default:
      return "see `calaboose doctor` for what this machine can enforce";
  }
}

Error execve_failure(int error, const plan::Plan& plan) {
  const std::string program = printable(plan.argv.empty() ? std::string() : plan.argv.front());
  const std::string what = "cannot execute " + program + " in the jail (" + errno_name(error) + ")";
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return Error(Errc::kCommandNotFound, what)
          .with_hint(
              "the program, or the interpreter or loader that it names, is not granted to the "
              "jail");
    case EACCES:
    case EPERM:
      return Error(Errc::kCommandNotFound, what)
          .with_hint(
              "it is not executable, lies on a mount without that right, or the jail's user may "
              "not read it");
    case ENOEXEC:
      return Error(Errc::kPeer, what)
          .with_hint("not a program for this machine, or a script without a #! line");
    case E2BIG:
      return Error(Errc::kPeer, what).with_hint("arguments and environment are too long");
    default:
      return Error(Errc::kPeer, what);
  }
}

}  // namespace

std::string_view step_name(Step step) {
  for (const auto& text : kSteps) {
    if (text.step == step) {
      return text.name;
    }
  }
  return "an unknown step";
}

Error describe_failure(const Failure& failure, const plan::Plan& plan) {
  const std::string id = "CB" + std::to_string(4100 + static_cast<std::uint32_t>(failure.step));
  if (failure.step == Step::kExecve) {
    return execve_failure(failure.error, plan).with_id(id);
  }
  return Error(Errc::kCannotEnforce,
               "the jail could not be made: " + std::string(step_name(failure.step)) +
                   subject(failure, plan) + " failed (" + errno_name(failure.error) +
                   "); nothing was executed")
      .with_hint(hint(failure, plan))
      .with_id(id);
}

}  // namespace calaboose::jail

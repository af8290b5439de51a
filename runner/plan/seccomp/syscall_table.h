// SPDX-License-Identifier: Apache-2.0
// Which system calls a jailed server may make, by group, with the reason of each group.
// Place: runner/plan/seccomp; read by generate.cc at build time and compared with
// tests/runner/jail/seccomp_golden.txt.
#pragma once

#include <string_view>

namespace calaboose::plan::seccomp {

/// One group of system calls. `names` is a list separated by single spaces.
struct Group {
  std::string_view title;
  std::string_view reason;
  std::string_view names;
};

/// Allowed without looking at arguments, except those that prologue.cc checks first
/// (ioctl, clone, personality, socket, socketpair).
inline constexpr Group kAllowed[] = {
    {"file io",
     "works on descriptors and paths that the mount namespace and Landlock already limit",
     "read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 open openat openat2 "
     "creat close "
     "close_range lseek dup dup2 dup3 fcntl flock fsync fdatasync sync sync_file_range syncfs "
     "ftruncate truncate "
     "fallocate fadvise64 readahead copy_file_range sendfile splice tee pipe pipe2 umask ioctl"},
    {"metadata",
     "same; mknod makes fifos, device nodes need a capability that nobody in a jail has",
     "stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2 readlink "
     "readlinkat getcwd chdir "
     "fchdir getdents getdents64 rename renameat renameat2 link linkat symlink symlinkat unlink "
     "unlinkat mkdir "
     "mkdirat rmdir mknod mknodat chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat "
     "utime utimes "
     "futimesat utimensat setxattr lsetxattr fsetxattr getxattr lgetxattr fgetxattr listxattr "
     "llistxattr "
     "flistxattr removexattr lremovexattr fremovexattr"},
    {"memory", "own address space; bounded by resource limits",
     "mmap munmap mprotect mremap madvise brk msync mincore mlock munlock mlockall munlockall "
     "mlock2 memfd_create "
     "get_mempolicy set_mempolicy mbind pkey_alloc pkey_free pkey_mprotect membarrier "
     "map_shadow_stack cachestat"},
    {"process",
     "own pid namespace; clone only without namespace flags; no_new_privs holds over execve",
     "clone fork vfork execve execveat exit exit_group wait4 waitid getpid getppid gettid getpgid "
     "getpgrp setpgid "
     "getsid setsid kill tkill tgkill pidfd_open pidfd_send_signal prctl arch_prctl "
     "set_tid_address set_robust_list "
     "get_robust_list rseq sched_yield sched_getparam sched_setparam sched_getscheduler "
     "sched_setscheduler "
     "sched_get_priority_max sched_get_priority_min sched_rr_get_interval sched_getaffinity "
     "sched_setaffinity "
     "sched_getattr sched_setattr getpriority setpriority ioprio_get ioprio_set getrlimit "
     "setrlimit prlimit64 "
     "getrusage times sysinfo uname getcpu restart_syscall personality"},
    {"ids", "no capability to gain: all five sets are empty and the securebits are locked",
     "getuid geteuid getgid getegid getresuid getresgid getgroups setuid setgid setreuid setregid "
     "setresuid "
     "setresgid setfsuid setfsgid setgroups capget capset"},
    {"signals", "own pid namespace, and Landlock's signal scope",
     "rt_sigaction rt_sigprocmask rt_sigpending rt_sigsuspend rt_sigtimedwait rt_sigqueueinfo "
     "rt_tgsigqueueinfo "
     "rt_sigreturn sigaltstack signalfd signalfd4 pause"},
    {"time", "reading clocks and own timers; setting a clock is refused below",
     "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time alarm getitimer "
     "setitimer timer_create "
     "timer_settime timer_gettime timer_getoverrun timer_delete timerfd_create timerfd_settime "
     "timerfd_gettime"},
    {"waiting", "event loops and locks of every runtime",
     "futex futex_waitv futex_wake futex_wait futex_requeue poll ppoll select pselect6 "
     "epoll_create epoll_create1 "
     "epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2 inotify_init inotify_init1 "
     "inotify_add_watch "
     "inotify_rm_watch"},
    {"network", "own network namespace; families and types are checked when a socket is made",
     "socket socketpair bind listen connect accept accept4 getsockname getpeername setsockopt "
     "getsockopt sendto "
     "recvfrom sendmsg recvmsg sendmmsg recvmmsg shutdown"},
    {"ipc", "own ipc namespace",
     "shmget shmat shmctl shmdt semget semop semctl semtimedop msgget msgsnd msgrcv msgctl mq_open "
     "mq_unlink "
     "mq_timedsend mq_timedreceive mq_notify mq_getsetattr"},
    {"aio", "old asynchronous file io, used by databases; not io_uring",
     "io_setup io_submit io_getevents io_pgetevents io_cancel io_destroy"},
    {"misc", "random numbers; a program may confine itself further",
     "getrandom seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self"},
};

/// Refused with EPERM, and told to the user: nothing that a server needs, much that an attack does.
inline constexpr Group kDenied[] = {
    {"other processes", "J10: reading or driving another process",
     "ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd"},
    {"kernel surface", "J19: interfaces with a history of privilege escalation",
     "bpf perf_event_open userfaultfd kexec_load kexec_file_load init_module finit_module "
     "delete_module quotactl "
     "quotactl_fd acct swapon swapoff reboot iopl ioperm modify_ldt syslog name_to_handle_at "
     "open_by_handle_at "
     "move_pages migrate_pages fanotify_init fanotify_mark lookup_dcookie vhangup nfsservctl"},
    {"keys", "J20: a keyring can outlive every namespace", "keyctl add_key request_key"},
    {"namespaces and mounts", "J16, J17, J33: the walls themselves",
     "mount umount2 pivot_root chroot setns unshare open_tree move_mount fsopen fsmount fsconfig "
     "fspick "
     "mount_setattr sethostname setdomainname"},
    {"clocks", "the machine's time", "clock_settime settimeofday adjtimex clock_adjtime"},
};

/// ENOSYS like every unknown number, but named here because runtimes probe them: J15, J18.
inline constexpr std::string_view kAbsent =
    "clone3 io_uring_setup io_uring_enter io_uring_register";

/// The jail's own init: waits for children, signals and the supervisor; nothing else.
inline constexpr std::string_view kInit =
    "read poll ppoll wait4 waitid kill sendto recvfrom sendmsg recvmsg close exit exit_group "
    "rt_sigreturn "
    "restart_syscall";

}  // namespace calaboose::plan::seccomp

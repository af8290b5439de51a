// SPDX-License-Identifier: Apache-2.0
#include "runner/cli/demo_stage.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace calaboose::cli {
namespace {

constexpr std::string_view kRcText = "# a shell start file\n";

Result<void> write_new(const std::string& path, std::string_view text) {
  const Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd || ::write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    return errno_error("cannot write " + path, errno);
  }
  return {};
}

}  // namespace

Result<DemoStage> DemoStage::set_up() {
  DemoStage stage;
  std::string pattern = "/tmp/calaboose-demo-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) {
    return errno_error("cannot make a temporary folder", errno);
  }
  stage.root_ = pattern;
  stage.home_ = pattern + "/home";
  CALABOOSE_CHECK(stage.plant());
  CALABOOSE_CHECK(stage.listen());
  return stage;
}

DemoStage::~DemoStage() {
  if (!root_.empty()) {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
}

Result<void> DemoStage::plant() {
  for (const char* dir : {"", "/.ssh", "/.aws"}) {
    if (::mkdir((home_ + dir).c_str(), 0700) != 0) {
      return errno_error("cannot make " + home_ + dir, errno);
    }
  }
  CALABOOSE_CHECK(write_new(home_ + "/.ssh/id_ed25519", "make-believe private key of the demo\n"));
  CALABOOSE_CHECK(write_new(home_ + "/.aws/credentials", "make-believe cloud key of the demo\n"));
  return write_new(home_ + "/.bashrc", kRcText);
}

Result<void> DemoStage::listen() {
  tcp_.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (!tcp_ || ::bind(tcp_.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::listen(tcp_.get(), 8) != 0 ||
      ::getsockname(tcp_.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return errno_error("cannot listen on the loopback interface", errno);
  }
  port_ = ntohs(address.sin_port);
  unix_.reset(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  const std::string path = root_ + "/docker.sock";
  std::strncpy(name.sun_path, path.c_str(), sizeof name.sun_path - 1);
  if (!unix_ || ::bind(unix_.get(), reinterpret_cast<sockaddr*>(&name), sizeof name) != 0 ||
      ::listen(unix_.get(), 8) != 0) {
    return errno_error("cannot listen on a socket file", errno);
  }
  return {};
}

std::vector<std::string> DemoStage::server_arguments() const {
  return {"--rc-file", home_ + "/.bashrc",   "--socket", root_ + "/docker.sock",
          "--port",    std::to_string(port_)};
}

std::vector<std::string> DemoStage::environment(const std::string& path) const {
  return {"HOME=" + home_,
          "PATH=" + path,
          "DEMO_API_KEY=make-believe-key-of-the-demo",
          "XDG_STATE_HOME=" + state_home(),
          "XDG_DATA_HOME=" + root_ + "/data",
          "XDG_CONFIG_HOME=" + root_ + "/config"};
}

bool DemoStage::rc_file_was_changed() {
  struct stat info {};

  const std::string path = home_ + "/.bashrc";
  const bool changed =
      ::stat(path.c_str(), &info) != 0 || info.st_size != static_cast<off_t>(kRcText.size());
  if (changed) {
    (void)write_new(path, kRcText).ok();
  }
  return changed;
}

}  // namespace calaboose::cli

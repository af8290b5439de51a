// SPDX-License-Identifier: Apache-2.0
// The doctor's findings as text and as JSON.
// Place: runner/host.
#include <algorithm>

#include "base/json/write.h"
#include "base/text.h"
#include "runner/host/doctor.h"

namespace calaboose::host {
namespace {

constexpr std::size_t kNameColumn = 28;

std::string padded(const std::string& text) {
  return text.size() < kNameColumn ? text + std::string(kNameColumn - text.size(), ' ')
                                   : text + " ";
}

}  // namespace

std::string render_text(const std::vector<Probe>& probes) {
  std::string out;
  for (const Probe& probe : probes) {
    const char* const mark = probe.ok ? "ok    " : probe.required ? "FAIL  " : "-     ";
    out += mark + padded(probe.mechanism) + printable(probe.detail) + "\n";
    if (probe.ok) {
      continue;
    }
    if (!probe.kernel_setting.empty()) {
      out += std::string(6, ' ') + "setting: " + printable(probe.kernel_setting) + "\n";
    }
    if (!probe.fix.empty()) {
      out += std::string(6, ' ') + "fix: " + printable(probe.fix) + "\n";
    }
  }
  out += "\nkernel " + kernel_release() + "\n";
  if (full_possible(probes)) {
    return out + "level: full (every protection can be enforced here)\n";
  }
  out += "level: none (servers will not start)\n";
  const auto first = std::find_if(probes.begin(), probes.end(),
                                  [](const Probe& probe) { return !probe.ok && probe.required; });
  if (first != probes.end()) {
    out += "first: " + printable(first->fix) + "\n";
  }
  return out;
}

std::string render_json(const std::vector<Probe>& probes, const std::string& version) {
  std::string list = "[";
  for (const Probe& probe : probes) {
    if (list.size() > 1) {
      list += ',';
    }
    json::ObjectWriter object(list);
    object.string("mechanism", probe.mechanism).boolean("ok", probe.ok);
    object.boolean("required", probe.required).string("detail", probe.detail);
    if (!probe.kernel_setting.empty()) {
      object.string("kernelSetting", probe.kernel_setting);
    }
    if (!probe.fix.empty()) {
      object.string("fix", probe.fix);
    }
    object.close();
  }
  list += ']';
  std::string out;
  json::ObjectWriter top(out);
  top.string("version", version).string("level", full_possible(probes) ? "full" : "none");
  top.string("kernel", kernel_release()).raw("probes", list);
  top.close();
  return out;
}

}  // namespace calaboose::host

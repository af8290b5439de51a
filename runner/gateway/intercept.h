// SPDX-License-Identifier: Apache-2.0
// The fixed stage between host and server: every message is recorded, then judged by policy.
// Place: runner/gateway, called by the Bridge's hooks; the only code that sees both policy and mcp.
#pragma once

#include <string>
#include <string_view>

#include "mcp/session/bridge.h"
#include "policy/scan/scan.h"
#include "runner/audit/audit.h"
#include "runner/gateway/reporter.h"

namespace calaboose::gateway {

class Intercept {
 public:
  /// `log` may be null (audit off by the owner's word). All arguments outlive the Intercept.
  Intercept(audit::Log* log, const policy::Scanner& scanner, Reporter& reporter)
      : log_(log), scanner_(scanner), reporter_(reporter) {}

  mcp::Decision from_host(const mcp::Exchange* exchange, const mcp::Message& message);
  mcp::Decision from_server(const mcp::Exchange* exchange, const mcp::Message& message);
  void violation(mcp::Side side, mcp::Violation violation, std::string_view detail);
  /// A record that is no message (jail.start, jail.denied …).
  void event(const audit::Record& record);

 private:
  bool record(const mcp::Exchange* exchange, const mcp::Message& message, audit::Direction dir);
  void record_findings(const mcp::Exchange* exchange, const mcp::Message& message,
                       const policy::ScanResult& scan, audit::Direction dir);
  void append(const audit::Record& record);

  audit::Log* log_;
  const policy::Scanner& scanner_;
  Reporter& reporter_;
  json::Tape tape_;  // for messages that the scanner rewrote
};

}  // namespace calaboose::gateway

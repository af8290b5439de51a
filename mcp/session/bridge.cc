// SPDX-License-Identifier: Apache-2.0
// Life cycle of a Bridge, and how answers reach the host.
// Place: mcp/session.
#include "mcp/session/bridge.h"

#include <algorithm>

#include "base/text.h"
#include "mcp/session/answers.h"
#include "mcp/session/bridge_core.h"
#include "mcp/wire/codes.h"

namespace calaboose::mcp {
namespace {

ClientSession::Options client_options(const Bridge::Options& options) {
  ClientSession::Options out;
  if (!options.fallback_client_info.empty()) {
    out.client_info = options.fallback_client_info;
  }
  out.request_timeout = options.request_timeout;
  out.open_timeout = options.open_timeout;
  out.probe_timeout = options.probe_timeout;
  out.json_limits = options.json_limits;
  return out;
}

}  // namespace

Bridge::Bridge(Port& port, Options options)
    : impl_(std::make_unique<Impl>(port, std::move(options))) {}

Bridge::~Bridge() = default;

void Bridge::start_server(EraChoice choice, TimePoint now) {
  impl_->start_server(choice, now);
}

void Bridge::set_era_hint(EraChoice choice) {
  impl_->set_era_hint(choice);
}

void Bridge::on_host_line(std::string_view line, TimePoint now) {
  impl_->on_host_line(line, now);
}

void Bridge::on_server_line(std::string_view line, TimePoint now) {
  impl_->on_server_line(line, now);
}

void Bridge::on_host_closed(TimePoint now) {
  impl_->on_host_closed(now);
}

void Bridge::on_server_closed(const Error& cause, TimePoint now) {
  impl_->on_server_closed(cause, now);
}

void Bridge::on_server_restarted(TimePoint now) {
  impl_->on_server_restarted(now);
}

TimePoint Bridge::next_deadline() const {
  return impl_->next_deadline();
}

void Bridge::on_time(TimePoint now) {
  impl_->on_time(now);
}

bool Bridge::host_opened() const {
  return impl_->host_opened();
}

bool Bridge::server_ready() const {
  return impl_->server_ready();
}

std::size_t Bridge::in_flight() const {
  return impl_->in_flight();
}

Bridge::Impl::Impl(Port& port, Options options)
    : port_(port), options_(std::move(options)), client_(*this, client_options(options_)) {
  envelope_.revision = kNewestModernRevision;
  envelope_.client_info =
      options_.fallback_client_info.empty() ? "{}" : options_.fallback_client_info;
  envelope_.capabilities = "{}";
}

void Bridge::Impl::start_server(EraChoice choice, TimePoint now) {
  now_ = now;
  if (!server_started_) {
    open_server(choice);
  }
}

void Bridge::Impl::on_server_line(std::string_view line, TimePoint now) {
  now_ = now;
  client_.on_line(line, now);
}

void Bridge::Impl::on_server_restarted(TimePoint now) {
  now_ = now;
  client_.on_restarted(now);
}

void Bridge::Impl::on_time(TimePoint now) {
  now_ = now;
  client_.on_time(now);
}

void Bridge::Impl::on_server_closed(const Error& cause, TimePoint now) {
  now_ = now;
  client_.on_closed(cause, now);
}

void Bridge::Impl::on_host_closed(TimePoint now) {
  now_ = now;
  host_closed_ = true;
  for (std::uint32_t slot = 0; slot < calls_.size(); ++slot) {
    Call& call = calls_[slot];
    if (call.place == Place::kFree) {
      continue;
    }
    if (call.place == Place::kServer) {
      client_.cancel(call.handle, "the host has closed the session");
    }
    finish(slot, "cancelled");
  }
  waiting_.clear();
  waiting_bytes_ = 0;
}

void Bridge::Impl::on_violation(Violation violation, std::string_view detail) {
  port_.on_violation(Side::kServer, violation, detail);
}

void Bridge::Impl::on_ready(const Negotiated& negotiated) {
  server_caps_.parse(negotiated.capabilities, options_.json_limits);
  port_.on_server_ready(negotiated);
  flush_waiting();
}

void Bridge::Impl::flush_waiting() {
  std::deque<Waiting> waiting;
  waiting.swap(waiting_);
  waiting_bytes_ = 0;
  for (const Waiting& item : waiting) {
    Call& call = calls_[item.call];
    if (call.place != Place::kQueued || call.exchange.call != item.serial) {
      continue;  // cancelled meanwhile
    }
    if (failure_) {
      answer_failure(item.call, *failure_, "failed");
    } else if (waiting_tape_.parse(item.line, options_.json_limits)) {
      process(item.call, classify(waiting_tape_.root()));
    }
  }
}

void Bridge::Impl::on_failed(const Error& error) {
  failure_ = error;
  flush_waiting();
  for (std::uint32_t slot = 0; slot < calls_.size(); ++slot) {
    if (calls_[slot].place != Place::kFree) {
      answer_failure(slot, error, "failed");
    }
  }
  port_.on_server_failed(error);
}

void Bridge::Impl::answer(std::uint32_t batch, std::string_view line) {
  if (host_closed_) {
    return;
  }
  if (batch == kNoSlot) {
    port_.to_host(line);
    return;
  }
  std::string& text = batches_[batch].text;
  text += text.empty() ? '[' : ',';
  text += line;
}

void Bridge::Impl::answer_error(std::uint32_t slot, std::int64_t code, std::string_view message,
                                std::string_view data, std::string_view outcome) {
  out_.clear();
  append_error(out_, calls_[slot].exchange.host_id, code, message, data);
  answer(calls_[slot].batch, out_);
  finish(slot, outcome);
}

void Bridge::Impl::answer_failure(std::uint32_t slot, const Error& error,
                                  std::string_view outcome) {
  const Call& call = calls_[slot];
  if (call.method->method == Method::kInitialize && !opening_error_.empty()) {
    out_ =
        R"({"jsonrpc":"2.0","id":)" + call.exchange.host_id + R"(,"error":)" + opening_error_ + "}";
    answer(call.batch, out_);
    finish(slot, outcome);
    return;
  }
  answer_error(slot, code::kInternalError, printable(error.what()), hint_data(error), outcome);
}

void Bridge::Impl::answer_result(std::uint32_t slot, std::string_view result,
                                 std::string_view outcome) {
  out_.clear();
  append_result(out_, calls_[slot].exchange.host_id, result);
  answer(calls_[slot].batch, out_);
  finish(slot, outcome);
}

void Bridge::Impl::reject(json::Value id, std::uint32_t batch, std::int64_t code,
                          std::string_view message, std::string_view data) {
  out_.clear();
  append_error(out_, id.raw(), code, message, data);
  answer(batch, out_);
}

void Bridge::Impl::finish(std::uint32_t slot, std::string_view outcome) {
  Call& call = calls_[slot];
  if (call.listen) {
    end_listen(slot);
  }
  count_log_level(call, -1);
  port_.on_finished(call.exchange, outcome, call.started);
  call_index_.erase(hash_text(call.id_key), slot);
  call.place = Place::kFree;
  const std::uint32_t batch = call.batch;
  if (batch != kNoSlot && outcome == "cancelled") {
    std::erase(batches_[batch].ids, call.id_key);  // will never be answered
  }
  calls_.release(slot);
  leave_batch(batch);
}

void Bridge::Impl::leave_batch(std::uint32_t batch) {
  if (batch == kNoSlot || --batches_[batch].waiting > 0) {
    return;
  }
  std::string& text = batches_[batch].text;
  if (!text.empty() && !host_closed_) {
    text += ']';
    port_.to_host(text);
  }
  text.clear();
  batches_[batch].ids.clear();
  batches_.release(batch);
}

std::string_view Bridge::Impl::key_of(json::Value id, std::string& scratch) {
  if (id.is_string() && id.raw().find('\\') != std::string_view::npos) {
    scratch = json::quoted(id.string_or(""));
    return scratch;
  }
  return id.raw();
}

std::uint32_t Bridge::Impl::find_call(json::Value id) {
  const std::string_view key = key_of(id, scratch_);
  return call_index_.find(hash_text(key),
                          [&](std::uint32_t slot) { return calls_[slot].id_key == key; });
}

/// The host still waits for an answer with this id.
bool Bridge::Impl::is_taken(json::Value id) {
  if (find_call(id) != kNoSlot) {
    return true;
  }
  if (batches_.live() == 0) {
    return false;
  }
  const std::string_view key = key_of(id, scratch_);
  for (std::uint32_t slot = 0; slot < batches_.size(); ++slot) {
    const auto& ids = batches_[slot].ids;
    if (std::find(ids.begin(), ids.end(), key) != ids.end()) {
      return true;
    }
  }
  return false;
}

}  // namespace calaboose::mcp

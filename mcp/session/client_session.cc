// SPDX-License-Identifier: Apache-2.0
// The public face of the client half.
// Place: mcp/session.
#include "mcp/session/client_session.h"

#include "mcp/session/client_core.h"

namespace calaboose::mcp {

ClientSession::ClientSession(Handler& handler, Options options)
    : impl_(std::make_unique<Impl>(handler, std::move(options))) {}

ClientSession::~ClientSession() = default;

void ClientSession::start(EraChoice choice, TimePoint now) {
  impl_->start(choice, now);
}

void ClientSession::on_line(std::string_view line, TimePoint now) {
  impl_->on_line(line, now);
}

void ClientSession::on_closed(const Error& cause, TimePoint) {
  impl_->on_closed(cause);
}

void ClientSession::on_restarted(TimePoint now) {
  impl_->on_restarted(now);
}

TimePoint ClientSession::next_deadline() const {
  return impl_->next_deadline();
}

void ClientSession::on_time(TimePoint now) {
  impl_->on_time(now);
}

bool ClientSession::ready() const {
  return impl_->ready();
}

const Negotiated& ClientSession::negotiated() const {
  return impl_->negotiated();
}

std::uint64_t ClientSession::request(std::string_view method, std::string_view params,
                                     TimePoint now, bool want_progress) {
  return impl_->request(method, params, now, want_progress);
}

void ClientSession::notify(std::string_view method, std::string_view params) {
  impl_->notify(method, params);
}

void ClientSession::cancel(std::uint64_t handle, std::string_view reason) {
  impl_->cancel(handle, reason);
}

void ClientSession::set_initialize_params(std::string params) {
  impl_->set_initialize_params(std::move(params));
}

void ClientSession::set_identity(std::string client_info, std::string capabilities) {
  impl_->set_identity(std::move(client_info), std::move(capabilities));
}

void ClientSession::leave_initialized_to_caller(bool leave) {
  impl_->leave_initialized_to_caller(leave);
}

const std::string& ClientSession::opening_result() const {
  return impl_->opening_result();
}

std::uint64_t ClientSession::next_handle() const {
  return impl_->next_handle();
}

std::uint64_t ClientSession::open_request(std::string_view method, TimePoint now, bool progress,
                                          std::uint64_t tag) {
  return impl_->open_request(method, now, progress, tag);
}

void ClientSession::send(std::string_view line) {
  impl_->send(line);
}

void ClientSession::forget(std::uint64_t handle) {
  impl_->forget(handle);
}

void ClientSession::clear_deadline(std::uint64_t handle) {
  impl_->clear_deadline(handle);
}

const ClientSession::Request* ClientSession::find(std::uint64_t handle) const {
  return impl_->find(handle);
}

}  // namespace calaboose::mcp

// SPDX-License-Identifier: Apache-2.0
// Names of surfaces and actions.
#include "policy/scan/surfaces.h"

#include <array>
#include <utility>

namespace calaboose::policy {
namespace {

using Entry = std::pair<Surface, std::string_view>;

constexpr auto kNames = std::to_array<Entry>({
    {Surface::kResultText, "result.text"},
    {Surface::kResultStructured, "result.structured"},
    {Surface::kResultResource, "result.resource"},
    {Surface::kResultLink, "result.resource_link.uri"},
    {Surface::kResultMeta, "result.meta"},
    {Surface::kToolName, "tool.name"},
    {Surface::kToolTitle, "tool.title"},
    {Surface::kToolDescription, "tool.description"},
    {Surface::kToolParamName, "tool.param.name"},
    {Surface::kToolParamDescription, "tool.param.description"},
    {Surface::kToolParamDefault, "tool.param.default"},
    {Surface::kToolParamEnum, "tool.param.enum"},
    {Surface::kToolSchema, "tool.schema"},
    {Surface::kToolAnnotations, "tool.annotations"},
    {Surface::kToolIcon, "tool.icon.src"},
    {Surface::kToolMeta, "tool.meta"},
    {Surface::kPromptName, "prompt.name"},
    {Surface::kPromptDescription, "prompt.description"},
    {Surface::kPromptArgumentDescription, "prompt.argument.description"},
    {Surface::kPromptText, "prompt.message"},
    {Surface::kResourceName, "resource.name"},
    {Surface::kResourceDescription, "resource.description"},
    {Surface::kResourceUri, "resource.uri"},
    {Surface::kResourceText, "resource.text"},
    {Surface::kInstructions, "instructions"},
    {Surface::kServerName, "server.name"},
    {Surface::kServerInfo, "server.info"},
    {Surface::kErrorMessage, "error.message"},
    {Surface::kErrorData, "error.data"},
    {Surface::kLogData, "log.data"},
    {Surface::kProgressMessage, "progress.message"},
    {Surface::kElicitationMessage, "elicitation.message"},
    {Surface::kCompletion, "completion"},
    {Surface::kArgument, "argument"},
    {Surface::kStderr, "stderr"},
    {Surface::kOpaque, "opaque"},
    {Surface::kOther, "other"},
});

// Finer names that case files and rules may use; each is part of one surface.
constexpr auto kAliases = std::to_array<Entry>({
    {Surface::kToolAnnotations, "tool.annotations.title"},
    {Surface::kOpaque, "result.image.data"},
    {Surface::kOpaque, "result.audio.data"},
    {Surface::kOpaque, "result.blob"},
    {Surface::kOpaque, "resource.blob"},
    {Surface::kPromptName, "prompt.argument.name"},
});

}  // namespace

std::string_view surface_name(Surface surface) {
  for (const auto& [value, name] : kNames) {
    if (value == surface) {
      return name;
    }
  }
  return "other";
}

Surface surface_by_name(std::string_view name, bool& known) {
  known = true;
  for (const auto& [value, text] : kNames) {
    if (text == name) {
      return value;
    }
  }
  for (const auto& [value, text] : kAliases) {
    if (text == name) {
      return value;
    }
  }
  known = false;
  return Surface::kOther;
}

std::string_view action_name(Action action) {
  switch (action) {
    case Action::kAllow:
      return "allow";
    case Action::kFlag:
      return "flag";
    case Action::kStrip:
      return "strip";
    case Action::kRedact:
      return "redact";
    case Action::kBlock:
      return "block";
  }
  return "block";
}

Profile profile_of(Surface surface) {
  switch (surface) {
    case Surface::kToolName:
    case Surface::kToolParamName:
    case Surface::kToolIcon:
    case Surface::kPromptName:
    case Surface::kResourceName:
    case Surface::kResourceUri:
    case Surface::kResultLink:
    case Surface::kServerName:
      return Profile::kName;
    case Surface::kResultText:
    case Surface::kResultResource:
    case Surface::kResourceText:
      return Profile::kTextFromFile;
    case Surface::kResultStructured:
    case Surface::kResultMeta:
    case Surface::kToolTitle:
    case Surface::kToolDescription:
    case Surface::kToolParamDescription:
    case Surface::kToolParamDefault:
    case Surface::kToolParamEnum:
    case Surface::kToolSchema:
    case Surface::kToolAnnotations:
    case Surface::kToolMeta:
    case Surface::kPromptDescription:
    case Surface::kPromptArgumentDescription:
    case Surface::kPromptText:
    case Surface::kResourceDescription:
    case Surface::kInstructions:
    case Surface::kServerInfo:
    case Surface::kErrorMessage:
    case Surface::kErrorData:
    case Surface::kLogData:
    case Surface::kProgressMessage:
    case Surface::kElicitationMessage:
    case Surface::kCompletion:
    case Surface::kArgument:
    case Surface::kStderr:
    case Surface::kOpaque:
    case Surface::kOther:
      return Profile::kText;
  }
  return Profile::kText;
}

}  // namespace calaboose::policy

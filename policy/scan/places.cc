// SPDX-License-Identifier: Apache-2.0
// The shape of MCP messages as one table: from a place, a member (or an array element) leads to the
// next place. It is asked only for strings that hold something odd, so it is written for reading,
// not for speed.
#include <algorithm>
#include <array>
#include <optional>

#include "policy/scan/surfaces.h"

namespace calaboose::policy {
namespace {

enum class Place : std::uint8_t {
  // Whole subtrees of one surface.
  kOther,
  kOpaque,
  kStructured,
  kErrorData,
  kLogData,
  kElicitation,
  kAnnotations,
  kDefault,
  kEnum,
  kParamNames,
  kCompletion,
  kArgument,
  kServerInfo,
  // Single texts.
  kResultText,
  kEmbeddedText,
  kLink,
  kToolName,
  kToolTitle,
  kToolDescription,
  kParamDescription,
  kIconText,
  kPromptName,
  kPromptDescription,
  kPromptArgumentDescription,
  kPromptText,
  kResourceName,
  kResourceDescription,
  kResourceUri,
  kResourceText,
  kInstructions,
  kServerName,
  kErrorMessage,
  kProgressMessage,
  // Objects and arrays of the protocol.
  kServerMessage,
  kHostMessage,
  kProgressNotification,
  kError,
  kResult,
  kAsk,
  kNotify,
  kInputRequests,
  kInputRequest,
  kTools,
  kTool,
  kSchema,
  kSchemaMap,
  kIcons,
  kPrompts,
  kPrompt,
  kPromptArguments,
  kPromptArgument,
  kResources,
  kResource,
  kContents,
  kContent,
  kBlocks,
  kEmbedded,
  kMessages,
  kMessage,
  kPromptBlocks,
  kServer,
  kHostParams,
};

struct Row {
  Place from;
  std::string_view member;  // "[]" any element, "*" any other member
  Place to;
};

constexpr auto kRows = std::to_array<Row>({
    {Place::kServerMessage, "id", Place::kOpaque},
    {Place::kServerMessage, "result", Place::kResult},
    {Place::kServerMessage, "error", Place::kError},
    {Place::kServerMessage, "params", Place::kAsk},
    {Place::kProgressNotification, "params", Place::kNotify},
    {Place::kHostMessage, "id", Place::kOpaque},
    {Place::kHostMessage, "params", Place::kHostParams},
    {Place::kHostMessage, "result", Place::kHostParams},
    {Place::kHostMessage, "*", Place::kArgument},
    {Place::kHostParams, "_meta", Place::kOpaque},
    {Place::kHostParams, "cursor", Place::kOpaque},
    {Place::kHostParams, "requestState", Place::kOpaque},
    {Place::kHostParams, "*", Place::kArgument},
    {Place::kError, "message", Place::kErrorMessage},
    {Place::kError, "data", Place::kErrorData},
    {Place::kError, "_meta", Place::kOpaque},

    {Place::kResult, "_meta", Place::kOpaque},
    {Place::kResult, "nextCursor", Place::kOpaque},
    {Place::kResult, "requestState", Place::kOpaque},
    {Place::kResult, "taskId", Place::kOpaque},
    {Place::kResult, "subscriptionId", Place::kOpaque},
    {Place::kResult, "content", Place::kBlocks},
    {Place::kResult, "structuredContent", Place::kStructured},
    {Place::kResult, "tools", Place::kTools},
    {Place::kResult, "prompts", Place::kPrompts},
    {Place::kResult, "messages", Place::kMessages},
    {Place::kResult, "description", Place::kPromptDescription},
    {Place::kResult, "resources", Place::kResources},
    {Place::kResult, "resourceTemplates", Place::kResources},
    {Place::kResult, "contents", Place::kContents},
    {Place::kResult, "completion", Place::kCompletion},
    {Place::kResult, "instructions", Place::kInstructions},
    {Place::kResult, "serverInfo", Place::kServer},
    {Place::kResult, "inputRequests", Place::kInputRequests},
    {Place::kResult, "statusMessage", Place::kProgressMessage},
    {Place::kInputRequests, "*", Place::kInputRequest},
    {Place::kInputRequest, "params", Place::kAsk},

    // What a server asks for, and what it notifies of.
    {Place::kAsk, "_meta", Place::kOpaque},
    {Place::kAsk, "progressToken", Place::kOpaque},
    {Place::kAsk, "requestId", Place::kOpaque},
    {Place::kAsk, "elicitationId", Place::kOpaque},
    {Place::kAsk, "taskId", Place::kOpaque},
    {Place::kAsk, "subscriptionId", Place::kOpaque},
    {Place::kAsk, "message", Place::kElicitation},
    {Place::kAsk, "requestedSchema", Place::kElicitation},
    {Place::kAsk, "url", Place::kElicitation},
    {Place::kAsk, "messages", Place::kMessages},
    {Place::kAsk, "systemPrompt", Place::kPromptText},
    {Place::kAsk, "tools", Place::kTools},
    {Place::kAsk, "data", Place::kLogData},
    {Place::kAsk, "logger", Place::kLogData},
    {Place::kAsk, "uri", Place::kResourceUri},
    {Place::kAsk, "statusMessage", Place::kProgressMessage},
    {Place::kNotify, "_meta", Place::kOpaque},
    {Place::kNotify, "progressToken", Place::kOpaque},
    {Place::kNotify, "message", Place::kProgressMessage},

    {Place::kTools, "[]", Place::kTool},
    {Place::kTool, "name", Place::kToolName},
    {Place::kTool, "title", Place::kToolTitle},
    {Place::kTool, "description", Place::kToolDescription},
    {Place::kTool, "inputSchema", Place::kSchema},
    {Place::kTool, "outputSchema", Place::kSchema},
    {Place::kTool, "annotations", Place::kAnnotations},
    {Place::kTool, "icons", Place::kIcons},
    {Place::kTool, "_meta", Place::kOpaque},
    {Place::kSchema, "properties", Place::kSchemaMap},
    {Place::kSchema, "patternProperties", Place::kSchemaMap},
    {Place::kSchema, "dependentSchemas", Place::kSchemaMap},
    {Place::kSchema, "$defs", Place::kSchemaMap},
    {Place::kSchema, "definitions", Place::kSchemaMap},
    {Place::kSchema, "description", Place::kParamDescription},
    {Place::kSchema, "title", Place::kParamDescription},
    {Place::kSchema, "$comment", Place::kParamDescription},
    {Place::kSchema, "default", Place::kDefault},
    {Place::kSchema, "examples", Place::kDefault},
    {Place::kSchema, "enum", Place::kEnum},
    {Place::kSchema, "const", Place::kEnum},
    {Place::kSchema, "required", Place::kParamNames},
    {Place::kSchema, "dependentRequired", Place::kParamNames},
    {Place::kSchema, "[]", Place::kSchema},
    {Place::kSchema, "*", Place::kSchema},
    {Place::kSchemaMap, "*", Place::kSchema},
    {Place::kIcons, "[]", Place::kIconText},
    {Place::kIconText, "*", Place::kIconText},

    {Place::kPrompts, "[]", Place::kPrompt},
    {Place::kPrompt, "name", Place::kPromptName},
    {Place::kPrompt, "title", Place::kPromptDescription},
    {Place::kPrompt, "description", Place::kPromptDescription},
    {Place::kPrompt, "arguments", Place::kPromptArguments},
    {Place::kPrompt, "icons", Place::kIcons},
    {Place::kPrompt, "_meta", Place::kOpaque},
    {Place::kPromptArguments, "[]", Place::kPromptArgument},
    {Place::kPromptArgument, "name", Place::kPromptName},
    {Place::kPromptArgument, "*", Place::kPromptArgumentDescription},
    {Place::kMessages, "[]", Place::kMessage},
    {Place::kMessage, "content", Place::kPromptBlocks},
    {Place::kMessage, "_meta", Place::kOpaque},

    {Place::kResources, "[]", Place::kResource},
    {Place::kResource, "uri", Place::kResourceUri},
    {Place::kResource, "uriTemplate", Place::kResourceUri},
    {Place::kResource, "name", Place::kResourceName},
    {Place::kResource, "title", Place::kResourceDescription},
    {Place::kResource, "description", Place::kResourceDescription},
    {Place::kResource, "icons", Place::kIcons},
    {Place::kResource, "_meta", Place::kOpaque},
    {Place::kContents, "[]", Place::kContent},
    {Place::kContent, "uri", Place::kResourceUri},
    {Place::kContent, "text", Place::kResourceText},
    {Place::kContent, "blob", Place::kOpaque},
    {Place::kContent, "_meta", Place::kOpaque},

    // Content blocks: an array of them, or a single one in the same place.
    {Place::kBlocks, "[]", Place::kBlocks},
    {Place::kBlocks, "text", Place::kResultText},
    {Place::kBlocks, "data", Place::kOpaque},
    {Place::kBlocks, "blob", Place::kOpaque},
    {Place::kBlocks, "uri", Place::kLink},
    {Place::kBlocks, "name", Place::kResourceName},
    {Place::kBlocks, "title", Place::kResourceDescription},
    {Place::kBlocks, "description", Place::kResourceDescription},
    {Place::kBlocks, "resource", Place::kEmbedded},
    {Place::kBlocks, "content", Place::kBlocks},
    {Place::kBlocks, "structuredContent", Place::kStructured},
    {Place::kBlocks, "input", Place::kStructured},
    {Place::kBlocks, "icons", Place::kIcons},
    {Place::kBlocks, "_meta", Place::kOpaque},
    {Place::kEmbedded, "uri", Place::kLink},
    {Place::kEmbedded, "text", Place::kEmbeddedText},
    {Place::kEmbedded, "blob", Place::kOpaque},
    {Place::kEmbedded, "_meta", Place::kOpaque},
    {Place::kPromptBlocks, "[]", Place::kPromptBlocks},
    {Place::kPromptBlocks, "text", Place::kPromptText},

    {Place::kServer, "name", Place::kServerName},
    {Place::kServer, "icons", Place::kIcons},
    {Place::kServer, "*", Place::kServerInfo},
});

// Surface of the strings at a place; a place without a row is kOther.
struct Leaf {
  Place place;
  Surface surface;
};

constexpr auto kLeaves = std::to_array<Leaf>({
    {Place::kOpaque, Surface::kOpaque},
    {Place::kInputRequests, Surface::kOpaque},  // its member names are ids
    {Place::kStructured, Surface::kResultStructured},
    {Place::kErrorData, Surface::kErrorData},
    {Place::kLogData, Surface::kLogData},
    {Place::kElicitation, Surface::kElicitationMessage},
    {Place::kAnnotations, Surface::kToolAnnotations},
    {Place::kDefault, Surface::kToolParamDefault},
    {Place::kEnum, Surface::kToolParamEnum},
    {Place::kParamNames, Surface::kToolParamName},
    {Place::kSchemaMap, Surface::kToolParamName},
    {Place::kSchema, Surface::kToolSchema},
    {Place::kCompletion, Surface::kCompletion},
    {Place::kArgument, Surface::kArgument},
    {Place::kHostMessage, Surface::kArgument},
    {Place::kHostParams, Surface::kArgument},
    {Place::kServer, Surface::kServerInfo},
    {Place::kServerInfo, Surface::kServerInfo},
    {Place::kServerName, Surface::kServerName},
    {Place::kResultText, Surface::kResultText},
    {Place::kEmbeddedText, Surface::kResultResource},
    {Place::kLink, Surface::kResultLink},
    {Place::kToolName, Surface::kToolName},
    {Place::kToolTitle, Surface::kToolTitle},
    {Place::kToolDescription, Surface::kToolDescription},
    {Place::kParamDescription, Surface::kToolParamDescription},
    {Place::kIconText, Surface::kToolIcon},
    {Place::kPromptName, Surface::kPromptName},
    {Place::kPromptDescription, Surface::kPromptDescription},
    {Place::kPromptArgument, Surface::kPromptArgumentDescription},
    {Place::kPromptArgumentDescription, Surface::kPromptArgumentDescription},
    {Place::kPromptText, Surface::kPromptText},
    {Place::kResourceName, Surface::kResourceName},
    {Place::kResourceDescription, Surface::kResourceDescription},
    {Place::kResourceUri, Surface::kResourceUri},
    {Place::kResourceText, Surface::kResourceText},
    {Place::kInstructions, Surface::kInstructions},
    {Place::kErrorMessage, Surface::kErrorMessage},
    {Place::kProgressMessage, Surface::kProgressMessage},
});

Surface leaf_surface(Place place) {
  for (const Leaf& leaf : kLeaves) {
    if (leaf.place == place) {
      return leaf.surface;
    }
  }
  return Surface::kOther;
}

// Places whose every descendant is the same place.
bool is_subtree(Place place) {
  return place <= Place::kServerInfo;
}

std::optional<Place> row_for(Place from, json::Value name) {
  std::optional<Place> any;
  for (const Row& row : kRows) {
    if (row.from != from) {
      continue;
    }
    if (row.member == "*") {
      any = row.to;
    } else if (row.member != "[]" && name.string_equals(row.member)) {
      return row.to;
    }
  }
  return any;
}

Place element_of(Place from) {
  for (const Row& row : kRows) {
    if (row.from == from && row.member == "[]") {
      return row.to;
    }
  }
  return Place::kOther;
}

Place member_of(Place from, json::Value name) {
  if (const std::optional<Place> to = row_for(from, name)) {
    return *to;
  }
  // Blocks of prompts are blocks, and a progress notification is a notification, but for one member
  // each.
  if (from == Place::kPromptBlocks) {
    return row_for(Place::kBlocks, name).value_or(Place::kOther);
  }
  if (from == Place::kNotify) {
    return row_for(Place::kAsk, name).value_or(Place::kOther);
  }
  if (from == Place::kProgressNotification) {
    return row_for(Place::kServerMessage, name).value_or(Place::kOther);
  }
  return Place::kOther;
}

Place root_place(const MessageContext& context) {
  if (!context.from_server) {
    return Place::kHostMessage;
  }
  return context.method == "notifications/progress" ? Place::kProgressNotification
                                                    : Place::kServerMessage;
}

// Steps from the message to a token, first step first. What lies deeper than this is in a subtree
// by then, or in a schema, whose place does not change with depth.
constexpr std::size_t kMaxSteps = 256;

}  // namespace

Surface surface_of(const MessageContext& context, json::Value message, json::Value string) {
  const json::Tape& tape = *message.tape();
  const auto& tokens = tape.tokens();
  // A name's own step is the object that it stands in.
  const std::uint32_t start =
      tokens[string.index()].is_name ? tokens[string.index()].parent : string.index();
  std::size_t depth = 0;
  for (std::uint32_t i = start; i != message.index(); i = tokens[i].parent) {
    ++depth;
  }
  std::array<std::uint32_t, kMaxSteps>
      path;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled up to depth
  std::size_t level = depth;
  for (std::uint32_t i = start; i != message.index(); i = tokens[i].parent) {
    --level;
    if (level < kMaxSteps) {
      path[level] = i;
    }
  }
  Place place = root_place(context);
  for (std::size_t step = 0; step < std::min(depth, kMaxSteps) && !is_subtree(place); ++step) {
    const std::uint32_t i = path[step];
    const bool is_member = tokens[tokens[i].parent].kind == json::Kind::kObject;
    place = is_member ? member_of(place, json::Value(&tape, i - 1)) : element_of(place);
  }
  return leaf_surface(place);
}

}  // namespace calaboose::policy

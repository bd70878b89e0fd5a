import {
  CancellationTokenSource,
  LanguageModelChatMessage,
  LanguageModelChatToolMode,
  LanguageModelError,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  lm,
} from "vscode";
import type { CancellationToken, LanguageModelChat, LanguageModelChatRequestOptions } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { ModelConsent } from "./consent";
import type { ModelUsage } from "./usage";

interface Block {
  type: string;
  text?: string;
  id?: string;
  name?: string;
  input?: object;
  tool_use_id?: string;
  content?: { type: string; text?: string }[] | string;
}

interface Message {
  role: "user" | "assistant";
  content: Block[];
}

/** The params of `sightline/languageModel`; see docs/protocol.md. */
export interface TurnParams {
  system: string;
  messages: Message[];
  tools: { name: string; description: string; inputSchema: object }[];
  maxTokens: number;
  forcedTool?: string | null;
  schema?: object | null;
}

/** An answer with more characters per allowed token than this has certainly exceeded its limit. */
const MAX_CHARS_PER_TOKEN = 8;
const REQUEST_FAILED = -32803;
const JUSTIFICATION =
  "Sightline is configured to use one of the editor's language models: it sends your questions and excerpts from this folder's files.";

interface ModelServices {
  /** The id of the configured model; empty for the first available one. */
  modelId: () => string;
  consent: ModelConsent;
  usage: ModelUsage;
}

/** Lets the server ask one of this editor's language models for one turn, if the user consents. */
export function answerModelRequests(client: LanguageClient, services: ModelServices): void {
  client.onRequest(
    "sightline/languageModel",
    async (params: TurnParams, token: CancellationToken) => {
      try {
        return await runTurn(params, services, token);
      } catch (error) {
        const { ResponseError } = await import("vscode-languageclient/node");
        throw new ResponseError(REQUEST_FAILED, describeError(error));
      }
    },
  );
}

async function runTurn(params: TurnParams, services: ModelServices, token: CancellationToken) {
  const model = await selectModel(services.modelId());
  await services.consent.ensure(model.name, model.id);
  const messages = toMessages(params);
  const cancellation = new CancellationTokenSource();
  const subscription = token.onCancellationRequested(() => {
    cancellation.cancel();
  });
  try {
    const response = await model.sendRequest(messages, requestOptions(params), cancellation.token);
    const content: Block[] = [];
    let chars = 0;
    let tooLong = false;
    for await (const part of response.stream) {
      chars += appendPart(content, part);
      tooLong = chars > params.maxTokens * MAX_CHARS_PER_TOKEN;
      if (tooLong) break;
    }
    const usage = await countTokens(model, messages, content);
    services.usage.add(model.name, usage);
    return { content, model: model.name, stopReason: stopReason(content, tooLong), usage };
  } finally {
    cancellation.cancel();
    subscription.dispose();
    cancellation.dispose();
  }
}

export async function selectModel(modelId: string): Promise<LanguageModelChat> {
  const all = await lm.selectChatModels(modelId === "" ? {} : { id: modelId });
  const [model] = all;
  if (model !== undefined) return model;
  throw new Error(
    modelId === ""
      ? "The editor has no language model; install an extension that provides one, or sign in to its provider"
      : `The editor no longer has the model ${modelId}; choose another with "Sightline: Choose a Model..."`,
  );
}

function stopReason(content: Block[], tooLong: boolean): "tool_use" | "max_tokens" | "ended" {
  if (tooLong) return "max_tokens";
  return content.some((block) => block.type === "tool_use") ? "tool_use" : "ended";
}

/** The conversation in the editor's types. They have no system message, so the first message carries it. */
export function toMessages(params: TurnParams): LanguageModelChatMessage[] {
  const schemaInstruction =
    params.schema == null
      ? ""
      : `\n\nAnswer with nothing but JSON that follows this schema:\n${JSON.stringify(params.schema)}`;
  return [
    LanguageModelChatMessage.User(params.system + schemaInstruction),
    ...params.messages.map(({ role, content }) =>
      role === "user"
        ? LanguageModelChatMessage.User(content.flatMap(userPart))
        : LanguageModelChatMessage.Assistant(content.flatMap(assistantPart)),
    ),
  ];
}

function userPart(block: Block): (LanguageModelTextPart | LanguageModelToolResultPart)[] {
  if (block.type === "text") return [new LanguageModelTextPart(block.text ?? "")];
  if (block.type !== "tool_result") return [];
  const results =
    typeof block.content === "string" ? [{ text: block.content }] : (block.content ?? []);
  const parts = results.map(({ text }) => new LanguageModelTextPart(text ?? ""));
  return [new LanguageModelToolResultPart(block.tool_use_id ?? "", parts)];
}

function assistantPart(block: Block): (LanguageModelTextPart | LanguageModelToolCallPart)[] {
  if (block.type === "text") return [new LanguageModelTextPart(block.text ?? "")];
  if (block.type !== "tool_use") return [];
  return [new LanguageModelToolCallPart(block.id ?? "", block.name ?? "", block.input ?? {})];
}

function requestOptions(params: TurnParams): LanguageModelChatRequestOptions {
  // Many models accept a required tool call only if they are offered no other tool.
  const forced = params.tools.filter(({ name }) => name === params.forcedTool);
  const tools = (forced.length > 0 ? forced : params.tools).map(
    ({ name, description, inputSchema }) => ({ name, description, inputSchema }),
  );
  return {
    justification: JUSTIFICATION,
    ...(tools.length > 0 && { tools }),
    ...(forced.length > 0 && { toolMode: LanguageModelChatToolMode.Required }),
  };
}

/** Appends a streamed part to the answer and returns its length. Ignores unknown parts. */
function appendPart(content: Block[], part: unknown): number {
  if (part instanceof LanguageModelTextPart) {
    const last = content.at(-1);
    if (last?.type === "text") last.text = (last.text ?? "") + part.value;
    else content.push({ type: "text", text: part.value });
    return part.value.length;
  }
  if (part instanceof LanguageModelToolCallPart) {
    const { callId: id, name, input } = part;
    content.push({ type: "tool_use", id, name, input });
    return JSON.stringify(input).length;
  }
  return 0;
}

async function countTokens(
  model: LanguageModelChat,
  messages: LanguageModelChatMessage[],
  content: Block[],
) {
  const answer = content.map((block) => block.text ?? JSON.stringify(block.input ?? {})).join("\n");
  try {
    const [outputTokens, ...inputs] = await Promise.all([
      model.countTokens(answer),
      ...messages.map((message) => model.countTokens(message)),
    ]);
    return {
      inputTokens: inputs.reduce((sum, each) => sum + each, 0),
      cachedTokens: 0,
      outputTokens,
    };
  } catch {
    return { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
  }
}

function describeError(error: unknown): string {
  if (error instanceof LanguageModelError) {
    switch (error.code) {
      case LanguageModelError.NoPermissions.name:
        return "Sightline is not allowed to use it";
      case LanguageModelError.Blocked.name:
        return "the provider blocked the request, perhaps because a quota was exceeded";
      case LanguageModelError.NotFound.name:
        return "the model is no longer available; choose another";
    }
  }
  return error instanceof Error ? error.message : String(error);
}

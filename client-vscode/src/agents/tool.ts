import {
  CancellationError,
  LanguageModelTextPart,
  LanguageModelToolResult,
  lm,
  MarkdownString,
} from "vscode";
import type {
  CancellationToken,
  Disposable,
  LanguageModelTool,
  LanguageModelToolInvocationOptions,
  LanguageModelToolInvocationPrepareOptions,
  PreparedToolInvocation,
} from "vscode";
import { restoreFollowedReport } from "../reports/live";
import { isReport } from "../reports/report";
import type { Intent } from "../reports/report";
import type { ReportStore, Request } from "../reports/store";
import { Failure } from "../server/failure";
import type { Server } from "../server/server";

const TOOL = "sightline_explore";

export interface ToolInput {
  query: string;
  keywords?: string[];
  intent?: Intent;
  scope?: string[];
  followUp?: string;
}

const MAX_SHOWN_CHARS = 120;
const KEYWORDS_ADVICE =
  "Note: No keywords were given. If the quotes do not answer the question, ask again once, with words and names " +
  "that you expect the code to use.\n";

/** The tool that the editor's chats and agents call. Its report is stored but not shown automatically. */
export class ExploreTool implements LanguageModelTool<ToolInput> {
  constructor(
    private readonly server: Pick<Server, "run">,
    private readonly store: Pick<ReportStore, "add" | "get">,
  ) {}

  prepareInvocation({
    input,
  }: LanguageModelToolInvocationPrepareOptions<ToolInput>): PreparedToolInvocation {
    // Models may send input that violates the schema; `invoke` rejects it.
    const question = typeof input.query === "string" ? input.query : "";
    const query = question.replaceAll(/\s+/g, " ").slice(0, MAX_SHOWN_CHARS);
    const message = new MarkdownString("Search this folder's files to answer: ");
    message.appendText(`"${query}"`);
    return {
      invocationMessage: `Exploring the code: ${query}`,
      confirmationMessages: { title: "Explore code with Sightline", message },
    };
  }

  async invoke(
    { input }: LanguageModelToolInvocationOptions<ToolInput>,
    token: CancellationToken,
  ): Promise<LanguageModelToolResult> {
    if (typeof input.query !== "string" || input.query.trim() === "") {
      throw new Error("query is empty: ask one question in words about this workspace's code.");
    }
    // Copies known fields only. Others that the server accepts would ask another model, open a document or
    // dismiss a report.
    const { query, keywords, intent, scope, followUp } = input;
    const request = {
      command: "sightline.explore",
      argument: {
        query,
        ...(keywords !== undefined && { keywords }),
        ...(intent !== undefined && { intent }),
        ...(scope !== undefined && { scope }),
        ...(followUp !== undefined && { followUp: { reportId: followUp } }),
      },
    };
    const report = await this.answer(request, token);
    const exportArgument = { reportId: report.id, format: "text" };
    const { content } = await this.server.run<{ content: string }>(
      "sightline.export",
      exportArgument,
    );
    this.store.add(report, { request });
    // The user did not ask this question, so the editor shows no decorations until they open the report.
    await this.server.run("sightline.dismissReport", { reportId: report.id });
    const lacksKeywords = !keywords?.length && followUp === undefined;
    const advice = lacksKeywords && report.confidence !== "high" ? KEYWORDS_ADVICE : "";
    return new LanguageModelToolResult([
      new LanguageModelTextPart(`${content}\nReport id, for followUp: ${report.id}\n${advice}`),
    ]);
  }

  private async answer(request: Request, token: CancellationToken) {
    try {
      await restoreFollowedReport(this.server, this.store, request);
      const { command, argument } = request;
      const answer = await this.server.run<unknown>(command, argument, token);
      if (isReport(answer)) return answer;
      throw new Error("The server's answer is not a report.");
    } catch (error) {
      if (token.isCancellationRequested) throw new CancellationError();
      throw new Error(messageForModel(error), { cause: error });
    }
  }
}

/** The error message for the model, followed by what it should do next. */
function messageForModel(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Failure) {
    return `${message} Tell the user, and continue with your own search and file tools.`;
  }
  return `${message} Correct the arguments if they were wrong; otherwise continue with your own search and file tools.`;
}

export function registerTool(server: Server, store: ReportStore): Disposable {
  return lm.registerTool(TOOL, new ExploreTool(server, store));
}

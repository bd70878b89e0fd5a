import { EventEmitter, LanguageModelTextPart, LanguageModelToolResultPart, lm } from "vscode";
import type {
  CancellationToken,
  Disposable,
  LanguageModelChatInformation,
  LanguageModelChatProvider,
  LanguageModelChatRequestMessage,
  LanguageModelResponsePart,
  Progress,
  ProvideLanguageModelChatResponseOptions,
} from "vscode";

const MODEL: LanguageModelChatInformation = {
  id: "probe-1",
  name: "Probe One",
  family: "probe",
  version: "1",
  maxInputTokens: 200_000,
  maxOutputTokens: 8_000,
  capabilities: { toolCalling: true },
};

/** A fake model that selects the first two places of the packet it is given, with the fact "Seen by the probe." */
export class FakeModel implements LanguageModelChatProvider {
  turns = 0;
  cancelled = 0;
  prompts: string[] = [];
  /** While true, turns do not end. */
  private isHeld = false;
  private readonly released = new EventEmitter<void>();

  register(): Disposable {
    return lm.registerLanguageModelChatProvider("sightline-probe", this);
  }

  setHeld(isHeld: boolean): void {
    this.isHeld = isHeld;
    if (!isHeld) this.released.fire();
  }

  provideLanguageModelChatInformation(): LanguageModelChatInformation[] {
    return [MODEL];
  }

  provideTokenCount(_: LanguageModelChatInformation, text: unknown): Promise<number> {
    return Promise.resolve(Math.ceil(JSON.stringify(text).length / 4));
  }

  async provideLanguageModelChatResponse(
    _: LanguageModelChatInformation,
    messages: readonly LanguageModelChatRequestMessage[],
    __: ProvideLanguageModelChatResponseOptions,
    progress: Progress<LanguageModelResponsePart>,
    token: CancellationToken,
  ): Promise<void> {
    this.turns += 1;
    const text = textOf(messages);
    this.prompts.push(text);
    if (this.isHeld) await this.waitForRelease(token);
    if (token.isCancellationRequested) return;
    progress.report(new LanguageModelTextPart(JSON.stringify(selection(text))));
  }

  private waitForRelease(token: CancellationToken): Promise<void> {
    return new Promise((resolve) => {
      this.released.event(() => {
        resolve();
      });
      token.onCancellationRequested(() => {
        this.cancelled += 1;
        resolve();
      });
    });
  }
}

function textOf(messages: readonly LanguageModelChatRequestMessage[]): string {
  const parts = messages.flatMap(({ content }) => [...content]);
  return parts
    .flatMap((part) => (part instanceof LanguageModelToolResultPart ? part.content : [part]))
    .map((part) => (part instanceof LanguageModelTextPart ? part.value : ""))
    .join("\n");
}

/** Selects two places of the packet, each quoted by its first non-trivial line. */
function selection(packet: string): object {
  const places: { candidateId: string; quote: string }[] = [];
  let id: string | undefined;
  for (const line of packet.split("\n")) {
    id = /^\s*\[(c\d+)\]/.exec(line)?.[1] ?? id;
    const quote = /^\s*\d+\| (.*\w{4}.*)$/.exec(line)?.[1]?.trim();
    if (
      id === undefined ||
      quote === undefined ||
      places.some(({ candidateId }) => candidateId === id)
    )
      continue;
    places.push({ candidateId: id, quote });
  }
  const flow = places
    .slice(0, 2)
    .map((place) => ({ ...place, role: "step", fact: "Seen by the probe." }));
  return {
    primaryCandidateIds: flow.map(({ candidateId }) => candidateId),
    flow,
    readTargets: [],
    missingCoverage: [],
    recommendedPrimaryAction: "answer_from_report",
    searchTargets: [],
    confidence: "medium",
  };
}

import type { Intent } from "../reports/report";

/** Suggested questions about a name in the code, by intent. */
export function questionsAbout(name: string, intent: Intent): string[] {
  switch (intent) {
    case "explain":
      return [`How does \`${name}\` work?`, `How is \`${name}\` reached?`];
    case "locate":
      return [`Where is \`${name}\` used?`, `Where is \`${name}\` defined?`];
    case "edit":
      return [`What needs to change if I change \`${name}\`?`, `Which tests cover \`${name}\`?`];
    case "debug":
      return [`Why does \`${name}\` fail?`, `Where does the result of \`${name}\` come from?`];
  }
}

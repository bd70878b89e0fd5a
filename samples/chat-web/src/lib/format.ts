const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** "3 minutes ago"; anything under a minute is "now". */
export function ago(then: number, now: number): string {
  const seconds = (then - now) / 1000;
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) {
      return new Intl.RelativeTimeFormat("en").format(Math.round(seconds / size), unit);
    }
  }
  return "now";
}

/** Splits a message into plain text, links and mentions; nothing is ever interpreted as markup. */
export function tokenize(text: string): { kind: "text" | "link" | "mention"; value: string }[] {
  return text
    .split(/(https?:\/\/\S+|@[a-z0-9_]+)/gi)
    .filter(Boolean)
    .map((value) => ({
      kind: value.startsWith("@") ? "mention" : /^https?:/.test(value) ? "link" : "text",
      value,
    }));
}

import type { LineRange, Link, Location, Report } from "./report";

/** Reads a file as lines; undefined if it no longer exists. */
type ReadLines = (uri: string) => Promise<readonly string[] | undefined>;

/**
 * Compares a stored report that the server does not track with the current files. A link whose quote now
 * occurs exactly once elsewhere in its file moves there. A link whose quote is not found is stale.
 */
export async function verifyReport(report: Report, read: ReadLines): Promise<Report> {
  const links = await Promise.all(report.links.map((link) => verifyLink(link, read)));
  return { ...report, links };
}

async function verifyLink(link: Link, read: ReadLines): Promise<Link> {
  const uri = link.location?.uri;
  const lines = uri === undefined ? undefined : await read(uri);
  if (uri === undefined || lines === undefined) return { ...link, stale: true };
  const start = findQuote(link.quote, lines, link.quoteRange.start);
  if (start === undefined) return { ...link, stale: true };
  const offset = start - link.quoteRange.start;
  const range = shiftRange(link.range, offset, lines.length);
  const quoteRange = shiftRange(link.quoteRange, offset, lines.length);
  return {
    ...link,
    stale: false,
    range,
    quoteRange,
    location: wholeLines(uri, range, lines),
    quoteLocation: wholeLines(uri, quoteRange, lines),
  };
}

/**
 * The 1-based line of a quote: the line where it was, or else its only occurrence. The server follows the
 * same rule (docs/protocol.md); tests/lsp/quotes.json has the test cases for both.
 */
function findQuote(
  quote: string,
  lines: readonly string[],
  originalStart: number,
): number | undefined {
  const height = quote.split("\n").length;
  const matchesAt = (start: number): boolean => {
    const candidate = lines.slice(start - 1, start - 1 + height);
    return candidate.length === height && candidate.join("\n").includes(quote);
  };
  if (matchesAt(originalStart)) return originalStart;
  const matches = lines.map((_, index) => index + 1).filter(matchesAt);
  return matches.length === 1 ? matches[0] : undefined;
}

function shiftRange(range: LineRange, offset: number, count: number): LineRange {
  const start = Math.min(Math.max(1, range.start + offset), count);
  return { start, end: Math.min(Math.max(start, range.end + offset), count) };
}

function wholeLines(uri: string, { start, end }: LineRange, lines: readonly string[]): Location {
  return {
    uri,
    range: {
      start: { line: start - 1, character: 0 },
      end: { line: end - 1, character: (lines[end - 1] ?? "").length },
    },
  };
}

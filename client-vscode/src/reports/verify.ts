import type { LineRange, Link, Location, Report } from "./report";

/** Reads a file as lines; undefined if it no longer exists. */
type ReadLines = (uri: string) => Promise<readonly string[] | undefined>;

/**
 * Compares a stored report that the server does not track with the current files. A link whose quote now
 * occurs exactly once elsewhere in its file moves there. A link whose quote is not found is stale.
 */
export async function verified(report: Report, read: ReadLines): Promise<Report> {
  const links = await Promise.all(report.links.map((link) => checked(link, read)));
  return { ...report, links };
}

async function checked(link: Link, read: ReadLines): Promise<Link> {
  const uri = link.location?.uri;
  const lines = uri === undefined ? undefined : await read(uri);
  if (uri === undefined || lines === undefined) return { ...link, stale: true };
  const start = found(link.quote, lines, link.quoteRange.start);
  if (start === undefined) return { ...link, stale: true };
  const by = start - link.quoteRange.start;
  const range = moved(link.range, by, lines.length);
  const quoteRange = moved(link.quoteRange, by, lines.length);
  return {
    ...link,
    stale: false,
    range,
    quoteRange,
    location: whole(uri, range, lines),
    quoteLocation: whole(uri, quoteRange, lines),
  };
}

/**
 * The 1-based line of a quote: the line where it was, or else its only occurrence. The server follows the
 * same rule (docs/protocol.md); tests/lsp/quotes.json has the test cases for both.
 */
function found(quote: string, lines: readonly string[], before: number): number | undefined {
  const height = quote.split("\n").length;
  const stands = (start: number): boolean => {
    const here = lines.slice(start - 1, start - 1 + height);
    return here.length === height && here.join("\n").includes(quote);
  };
  if (stands(before)) return before;
  const places = lines.map((_, at) => at + 1).filter(stands);
  return places.length === 1 ? places[0] : undefined;
}

function moved(range: LineRange, by: number, count: number): LineRange {
  const start = Math.min(Math.max(1, range.start + by), count);
  return { start, end: Math.min(Math.max(start, range.end + by), count) };
}

function whole(uri: string, { start, end }: LineRange, lines: readonly string[]): Location {
  return {
    uri,
    range: {
      start: { line: start - 1, character: 0 },
      end: { line: end - 1, character: (lines[end - 1] ?? "").length },
    },
  };
}

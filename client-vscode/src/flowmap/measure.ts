/**
 * Estimates text widths without a font. The drawing must be the same in the panel and in an exported file,
 * whatever fonts are installed, so the estimates err on the wide side.
 */
type Face = "sans" | "mono";

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
const NARROW = /[ .,:;'|!iljtfrI()[\]]/;
const BROAD = /[mwMW@%A-Z]/;

/** The estimated width in pixels at the given font size. */
export function measure(text: string, size: number, face: Face): number {
  let ems = 0;
  for (const letter of text) ems += emsOf(letter, face);
  return ems * size;
}

function emsOf(letter: string, face: Face): number {
  if (WIDE.test(letter)) return face === "mono" ? 1.2 : 1.1;
  if (face === "mono") return 0.61;
  if (NARROW.test(letter)) return 0.4;
  return BROAD.test(letter) ? 0.82 : 0.62;
}

/** The text if it fits; otherwise as much of its start as fits, with an ellipsis. */
export function clip(text: string, maxWidth: number, size: number, face: Face): string {
  if (measure(text, size, face) <= maxWidth) return text;
  const letters = Array.from(text);
  while (letters.length > 1 && measure(`${letters.join("")}…`, size, face) > maxWidth)
    letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

/** Wraps text into at most `maxLines` lines. Clips a word that is too long, and the last line if text remains. */
export function wrap(text: string, maxWidth: number, size: number, maxLines: number): string[] {
  const lines: string[] = [];
  let line = "";
  const words = text.split(/\s+/).filter(Boolean);
  for (const [index, word] of words.entries()) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line === "" || measure(longer, size, "sans") <= maxWidth) {
      line = longer;
    } else if (lines.length + 1 === maxLines) {
      return [...lines, clip([line, ...words.slice(index)].join(" "), maxWidth, size, "sans")];
    } else {
      lines.push(clip(line, maxWidth, size, "sans"));
      line = word;
    }
  }
  return line === "" ? lines : [...lines, clip(line, maxWidth, size, "sans")];
}

import type { DecodedText } from './decode.ts';

export interface TextRow {
  /** The number of the row as an editor counts it, from 1. */
  number: number;
  text: string;
  /** True if the row is in another encoding than the rest of the file. */
  isForeign: boolean;
}

/** The rows of a configuration file, without their ends. */
export function* textRows({ text, isForeign }: DecodedText): Generator<TextRow> {
  let number = 0;
  for (let from = 0; from <= text.length; ) {
    const feed = text.indexOf('\n', from);
    const to = feed < 0 ? text.length : feed;
    number++;
    let end = to;
    while (end > from && text[end - 1] === '\r') end--;
    yield { number, text: text.slice(from, end), isForeign: isForeign(from, to) };
    from = to + 1;
  }
}

import { escapeHtml } from './escape-html.ts';

/** A part of a page. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | null | false | undefined | readonly Part[];

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(textOf).join('');
  return part === null || part === undefined || part === false ? '' : escapeHtml(String(part));
}

/** A part of a page with values in it, which are escaped unless they are parts themselves. */
export function html(texts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(texts.map((text, index) => text + textOf(values[index])).join(''));
}

import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { Line, lineServer } from '@linekeeper/contract/lines/lines.ts';
import {
  factsOf,
  fillText,
  namesPage,
  namesPassword,
  type TextKind,
  textOf,
  usualTexts,
} from '@linekeeper/contract/text/own-texts.ts';
import { languageOr } from '#platform/i18n/languages.ts';
import { signInName } from './state.ts';

/**
 * The text that the seller of a line has for an occasion, to be filled in for the customer: in the customer's language,
 * else in that of the seller, else in that of the reader.
 */
export function sellerText(
  line: Line,
  { plan, servers, language: known, texts }: Reply<typeof lineServer>,
  kind: TextKind,
  reader: string,
) {
  const language = languageOr(line.language ?? known ?? reader);
  const text = textOf(texts, kind, language);
  return {
    language,
    hasPassword: namesPassword(text),
    isUsual: text === usualTexts[kind][language],
    hasPage: line.page !== null && namesPage(text),
    fill: (password?: string, page?: string | null) =>
      fillText(
        text,
        factsOf({ ...line, username: signInName(line), password, plan, servers, page }, language),
      ),
  };
}

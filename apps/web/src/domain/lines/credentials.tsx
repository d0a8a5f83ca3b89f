import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { TextKind } from '@linekeeper/contract/text/own-texts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { lineServerQuery, useRevealLine } from './queries.ts';

type GetPassword = () => string | Promise<string>;

/**
 * Gives the text that the line's seller has for an occasion, filled in for its customer. The password, and the link of the
 * customer's page, are fetched only if the text has them.
 */
export function useGetText() {
  const queryClient = useQueryClient();
  const { i18n } = useTranslation();
  const { mutateAsync: reveal } = useRevealLine();
  return async (line: Line, kind: TextKind, getPassword: GetPassword): Promise<string> => {
    const [{ sellerText }, wording] = await Promise.all([
      import('./seller-text.ts'),
      queryClient.fetchQuery(lineServerQuery(line.id)),
    ]);
    const { hasPassword, hasPage, fill } = sellerText(line, wording, kind, i18n.language);
    const revealed = hasPage ? await reveal(line.id) : undefined;
    const password = hasPassword ? (revealed?.password ?? (await getPassword())) : undefined;
    return fill(password, revealed?.page);
  };
}

/** Gives everything that a customer needs to connect as one text. */
export function useGetCredentials() {
  const getText = useGetText();
  return (line: Line, getPassword: GetPassword) => getText(line, 'handover', getPassword);
}

import type { QueryKey } from '@tanstack/react-query';

/**
 * What is kept in this browser: lists, and what they need to be shown. Whatever is not named here is
 * not kept: passwords that were revealed, API keys, links to reset a password or to pay, codes that
 * give credits, the audit log, what strangers wrote.
 */
const kept: readonly QueryKey[] = [
  ['accounts', 'below'],
  ['accounts', 'figures'],
  ['accounts', 'list'],
  ['accounts', 'members'],
  ['accounts', 'one'],
  ['articles', 'list'],
  ['articles', 'one'],
  ['credits', 'prices'],
  ['groups', 'every'],
  ['groups', 'list'],
  ['lines', 'choice-counts'],
  ['lines', 'counts'],
  ['lines', 'list'],
  ['lines', 'one'],
  ['messages', 'list'],
  ['messages', 'one'],
  ['messages', 'unread'],
  ['notifications', 'newest'],
  ['notifications', 'unread'],
  ['preferences'],
  ['servers', 'choices'],
  ['servers', 'every'],
  ['servers', 'list'],
  ['settings', 'public'],
  ['sync', 'list'],
  ['tickets', 'counts'],
  ['tickets', 'list'],
  ['tickets', 'one'],
  ['tickets', 'replies'],
  ['transfers', 'list'],
  ['view-count'],
];

export function isKept(queryKey: QueryKey): boolean {
  return kept.some((start) => start.every((part, index) => queryKey[index] === part));
}

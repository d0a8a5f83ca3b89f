import type { Scenario } from './scenarios.ts';

const ADMIN = 1;
/** One in twenty of all tickets, messages and notifications is this one's. */
const BUSY = 2;

export const talkPaths: { name: string; path: string; account: number }[] = [
  { name: 'Tickets of all', path: '/api/tickets', account: ADMIN },
  { name: 'Tickets of one account', path: '/api/tickets', account: BUSY },
  { name: 'Badge of the tickets', path: '/api/tickets/counts', account: BUSY },
  { name: 'Messages', path: '/api/messages', account: BUSY },
  { name: 'Badge of the messages', path: '/api/messages/unread-count', account: BUSY },
  { name: 'Bell', path: '/api/notifications', account: BUSY },
  { name: 'Badge of the bell', path: '/api/notifications/unread-count', account: BUSY },
];

export const talkScenarios: Scenario[] = talkPaths.map(({ name, path, account }) => ({
  name,
  on: 'talk',
  status: 200,
  requests: async (fixture) => {
    const cookie = fixture.cookieOf(account);
    const request = `GET ${path} HTTP/1.1\r\nhost: bench\r\ncookie: ${cookie}\r\n\r\n`;
    return () => request;
  },
}));

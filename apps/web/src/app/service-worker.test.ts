import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { beforeEach, expect, test, vi } from 'vitest';

const code = readFileSync(new URL('../../public/sw.js', import.meta.url), 'utf8');
const handlers = new Map<string, (event: object) => void>();
const showNotification = vi.fn();
const openWindow = vi.fn();
const windows: object[] = [];

beforeEach(() => {
  vi.clearAllMocks();
  windows.length = 0;
  const self = {
    addEventListener: (name: string, handler: (event: object) => void) =>
      handlers.set(name, handler),
    location: { origin: 'https://panel.example' },
    registration: { showNotification },
    clients: { matchAll: async () => windows, openWindow },
  };
  runInNewContext(code, { self, URL });
});

async function send(name: string, event: object): Promise<void> {
  let done: unknown;
  handlers.get(name)?.({ ...event, waitUntil: (work: unknown) => (done = work) });
  await done;
}
const click = (link: string) =>
  send('notificationclick', { notification: { close: vi.fn(), data: { link } } });

test('a push is shown as its title, once for each notification', async () => {
  const message = { id: 'one', title: 'Low balance: 3', link: '/payments/pricing' };
  await send('push', { data: { json: () => message } });
  expect(showNotification).toHaveBeenCalledExactlyOnceWith(
    'Low balance: 3',
    expect.objectContaining({ tag: 'one', data: { link: '/payments/pricing' } }),
  );
});

test('a click opens the page, in the window that is open already', async () => {
  await click('/tickets/1');
  expect(openWindow).toHaveBeenLastCalledWith('https://panel.example/tickets/1');
  const focus = vi.fn();
  const navigate = vi.fn(async () => ({ focus }));
  windows.push({ navigate });
  await click('/tickets/2');
  expect(navigate).toHaveBeenCalledWith('https://panel.example/tickets/2');
  expect([focus.mock.calls.length, openWindow.mock.calls.length]).toEqual([1, 1]);
});

test.each(['https://elsewhere.example/', '//elsewhere.example', 'javascript:alert(1)'])(
  'a click opens nothing outside of the panel: %s',
  async (link) => {
    await click(link);
    expect(openWindow).not.toHaveBeenCalled();
  },
);

import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Loads the module in a browser whose network state is set by the test. */
async function open(onLine: boolean) {
  // Another test file may have loaded the module.
  vi.resetModules();
  const browser = new EventTarget();
  const answers = vi.fn<() => Promise<unknown>>().mockResolvedValue({ ok: true });
  vi.stubGlobal('navigator', { onLine });
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  vi.stubGlobal('fetch', answers);
  const { connection, reportReachable } = await import('./connection.ts');
  const tell = async (event: 'online' | 'offline') => {
    browser.dispatchEvent(new Event(event));
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { connection, reportReachable, answers, tell };
}

test('a panel that answers is reached, whatever the browser says of its network', async () => {
  const { connection, reportReachable, tell } = await open(false);
  expect(connection.get()).toBe('online');
  await tell('offline');
  expect(connection.get()).toBe('online');
  reportReachable(true);
  expect(connection.get()).toBe('online');
});

test('a panel on the same machine is reached again without a network, once it answers', async () => {
  const { connection, answers, reportReachable } = await open(false);
  reportReachable(false);
  expect(connection.get()).toBe('offline');
  reportReachable(true);
  await vi.waitFor(() => expect(connection.get()).toBe('online'));
  expect(answers).toHaveBeenCalledOnce();
});

test('one that does not answer is not', async () => {
  const { connection, answers, tell, reportReachable } = await open(false);
  answers.mockRejectedValue(new TypeError('failed'));
  await tell('offline');
  expect(connection.get()).toBe('offline');
  // The late reply to a request from before.
  reportReachable(true);
  expect(connection.get()).toBe('offline');
  answers.mockResolvedValue({ ok: true });
  await tell('online');
  expect(connection.get()).toBe('online');
  vi.stubGlobal('navigator', { onLine: true });
  reportReachable(false);
  expect(connection.get()).toBe('unreachable');
});

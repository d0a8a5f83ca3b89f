/** Resolves in a task of its own. Timers would be held up by a tab in the background. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

let next = Promise.resolve();

/**
 * Resolves when a request may be sent: the first at once, others that are made in the same task each in
 * one of its own. A page makes ten when it is opened, and sending them in one task keeps a phone from
 * answering for a tenth of a second.
 */
export function turnToAsk(): Promise<void> {
  const mine = next;
  next = mine.then(nextTask);
  return mine;
}

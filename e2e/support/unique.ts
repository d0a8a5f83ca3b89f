/** As many milliseconds as six digits of this base count, three weeks. */
const TURN = 36 ** 6;

/**
 * A text that no other test of this run has: two workers may begin in the same millisecond. Short, since
 * a username on a CCcam server has at most 20 bytes.
 */
export function unique(): string {
  const time = (Date.now() % TURN).toString(36).padStart(6, '0');
  return `${time}${process.env.TEST_WORKER_INDEX ?? ''}`;
}

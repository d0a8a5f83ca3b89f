/** Milliseconds of a day and some hours, in eight digits. */
const TURN = 10 ** 8;

/**
 * A number that no other test of this run has: two workers may begin in the same millisecond. Short, since
 * a username on a CCcam server has at most 20 bytes, and as long after many retries as at first.
 */
export function unique(): string {
  const time = String(Date.now() % TURN).padStart(8, '0');
  return `${time}${process.env.TEST_PARALLEL_INDEX ?? ''}`;
}

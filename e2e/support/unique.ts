/** Milliseconds of about 28 hours, after which the eight digits begin again. */
const TURN = 10 ** 8;

/**
 * A number that no other test of this run has, even if two workers begin in the same millisecond. It is short, because
 * a username on a CCcam server has at most 20 bytes, and its length stays the same after many retries.
 */
export function unique(): string {
  const time = String(Date.now() % TURN).padStart(8, '0');
  return `${time}${process.env.TEST_PARALLEL_INDEX ?? ''}`;
}

/** A number that no other test of this run has: two workers may begin in the same millisecond. */
export function unique(): string {
  return `${Date.now()}${process.env.TEST_WORKER_INDEX ?? ''}`;
}

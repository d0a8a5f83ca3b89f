/** Whether the tests run at full size, which takes long: `npm run soak`. */
export const isSoak = process.env.SOAK === '1';

/** How much of something a test does: what fits into every run, or all of it. */
export function size(everyRun: number, soak: number): number {
  return isSoak ? soak : everyRun;
}

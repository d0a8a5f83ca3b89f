/** True at full size, which takes long: `npm run soak`. */
export const isSoak = process.env.SOAK === '1';

/** The number of rows or rounds that a test uses: `soak` in a run of `npm run soak`, and otherwise `everyRun`. */
export function size(everyRun: number, soak: number): number {
  return isSoak ? soak : everyRun;
}

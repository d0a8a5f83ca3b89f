/** True at full size, which takes long: `npm run soak`. */
export const isSoak = process.env.SOAK === '1';

/** Picks the amount of work for ordinary and for full-size runs. */
export function size(everyRun: number, soak: number): number {
  return isSoak ? soak : everyRun;
}

// Module that is loaded before a program whose output must be the same in each release: its clock stands still, and its
// random bytes are always the same.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const now = Number(process.env.SOURCE_DATE_EPOCH) * 1_000;
Date.now = () => now;
Object.defineProperty(globalThis, 'performance', { value: { now: () => 0, timeOrigin: now } });
/** @param {NodeJS.ArrayBufferView} view */
const fill = (view) => {
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength).fill(7);
  return view;
};
Object.assign(crypto, { randomFillSync: fill });
Object.assign(crypto.webcrypto, { getRandomValues: fill });
syncBuiltinESMExports();

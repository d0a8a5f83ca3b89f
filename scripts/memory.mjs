// How a panel's memory is kept small, for `npm start`; the units and the image say the same, which a test compares.
// Runs on Node 20.

/**
 * Environment of a panel. Of what a panel held without it, seven parts in eight were garbage that Node had not
 * collected and memory that the allocator had not given back.
 */
export const memorySettings = {
  // New objects in 4 MB instead of 16, and a bound above which Node collects rather than grows.
  NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=512',
  // One arena for all threads, and freed blocks of 64 KB go back to the machine at once.
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '65536',
  MALLOC_MMAP_THRESHOLD_: '65536',
};

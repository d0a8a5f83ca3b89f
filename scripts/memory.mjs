// Settings that keep a panel's memory small, for `npm start`; the units and the image have the
// same, which a test compares. Runs on Node 20.

/**
 * Environment of a panel. Without these variables, seven eighths of a panel's memory were garbage
 * that Node had not collected and memory that the allocator had not returned.
 */
export const memorySettings = {
  // New objects get 4 MB instead of 16, and above 512 MB Node collects garbage instead of growing.
  NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=512',
  // All threads share one arena, and freed blocks of 64 KB are returned to the machine immediately.
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '65536',
  MALLOC_MMAP_THRESHOLD_: '65536',
};

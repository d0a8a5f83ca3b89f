/** Whose keyboards say ⌘ where others say Ctrl. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

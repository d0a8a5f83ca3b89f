/** The window sizes in which the panel is tested. */
export const desktop = { width: 1440, height: 900 };
export const phone = { width: 390, height: 844 };
/** The narrowest window into which everything must fit. */
export const smallPhone = { width: 320, height: 640 };

/** The windows that the panel is tried in. */
export const desktop = { width: 1440, height: 900 };
export const phone = { width: 390, height: 844 };
/** The narrowest that everything has to fit into. */
export const smallPhone = { width: 320, height: 640 };

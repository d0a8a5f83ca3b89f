/** Key of the signed-in account in localStorage. */
export const accountKey = `linekeeper:${location.host}:account`;

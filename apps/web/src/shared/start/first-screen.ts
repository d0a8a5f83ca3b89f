let isFirst = true;

/** True until another screen is asked for. */
export const isFirstScreen = (): boolean => isFirst;

export function leaveFirstScreen(): void {
  isFirst = false;
}

/** A full hour as it is written in every language here: 08:00. */
export function hourOfDay(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

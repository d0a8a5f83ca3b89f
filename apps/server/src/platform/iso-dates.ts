type IsoDate<Value> = Value extends Date ? string : Value;

/** A row with its moments as texts, as the API gives them. */
export function isoDates<Row extends object>(row: Row): { [Key in keyof Row]: IsoDate<Row[Key]> } {
  const entries = Object.entries(row).map(([key, value]) => [
    key,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(entries);
}

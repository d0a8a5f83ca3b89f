const MOST_REMEMBERED = 500;

function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const below of Object.values(value)) freeze(below);
  return Object.freeze(value);
}

/**
 * Caches the parsed form of texts that recur, such as the addresses of lines on one server. Callers
 * share the parsed values, so these are frozen.
 */
export function rememberedReading<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const value = freeze(read(text));
    known.set(text, value);
    return value;
  };
}

import { useEffect, useState } from 'react';

/** The last value that stayed unchanged for `delay` ms. */
export function useDebounced<Value>(value: Value, delay: number): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return rested;
}

import type { Line } from '@linekeeper/contract/lines.ts';
import { useEffect, useRef, useState } from 'react';
import {
  changedMeanwhile,
  type EditLineValues,
  type LineForm,
  storedValues,
} from './edit-line-schema.ts';

/**
 * Takes over what somebody else changes while the form is open, except where the reader has typed.
 * Returns the fields where both did.
 */
export function useFollowLine(form: LineForm, line: Line): (keyof EditLineValues)[] {
  const { dirtyFields } = form.formState;
  const known = useRef(storedValues(line));
  const [changedHere, setChangedHere] = useState<(keyof EditLineValues)[]>([]);
  useEffect(() => {
    const now = storedValues(line);
    const changed = changedMeanwhile(known.current, now);
    known.current = now;
    if (changed.length === 0) return;
    form.reset(now, { keepDirtyValues: true, keepErrors: true });
    setChangedHere((before) => [...new Set([...before, ...changed])]);
  }, [form, line]);
  return changedHere.filter((name) => dirtyFields[name]);
}

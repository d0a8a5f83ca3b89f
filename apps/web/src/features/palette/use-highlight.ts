import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';

const LINE = 'line:';
const movingKeys = /^(Arrow|Home|End)/;

/** The value by which a line is identified among the items of the list. */
export function lineValue(line: Line): string {
  return LINE + line.id;
}

/**
 * Tracks the highlighted item, on which Enter acts, and the selected line. The selected line is the
 * last one highlighted, so it stays selected while the highlight moves through its actions.
 */
export function useHighlight(query: string, lines: readonly Line[]) {
  const [highlighted, setHighlighted] = useState('');
  const [chosenValue, setChosenValue] = useState('');
  const hasMoved = useRef(false);
  const first = lines[0] && lineValue(lines[0]);

  const onChange = (value: string) => {
    setHighlighted(value);
    if (value.startsWith(LINE)) setChosenValue(value);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query resets the highlight
  useEffect(() => {
    hasMoved.current = false;
  }, [query]);

  useEffect(() => {
    if (first) setChosenValue(first);
  }, [first]);

  // The first line is highlighted unless the user has moved the highlight. The list component
  // highlights whichever item renders first, which may be a page if the lines arrive later.
  useEffect(() => {
    if (first && !hasMoved.current && !highlighted.startsWith(LINE)) setHighlighted(first);
  }, [first, highlighted]);

  return {
    highlighted,
    chosen: lines.find((line) => lineValue(line) === chosenValue) ?? lines[0],
    onChange,
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (movingKeys.test(key)) hasMoved.current = true;
    },
  };
}

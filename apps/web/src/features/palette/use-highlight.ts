import type { Line } from '@linekeeper/contract/lines.ts';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';

const LINE = 'line:';

/** The list's own name for a line among its items. */
export function lineValue(line: Line): string {
  return LINE + line.id;
}

/**
 * Which item Enter acts on, and the line whose actions are offered: the last one that was
 * highlighted, so that it stays chosen while its actions are walked through.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query is a new start
  useEffect(() => {
    hasMoved.current = false;
  }, [query]);

  // Lines come later than the places below them and take the highlight, unless it was moved.
  useEffect(() => {
    if (!first) return;
    setChosenValue(first);
    if (!hasMoved.current) setHighlighted(first);
  }, [first]);

  return {
    highlighted,
    chosen: lines.find((line) => lineValue(line) === chosenValue) ?? lines[0],
    onChange,
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key.startsWith('Arrow')) hasMoved.current = true;
    },
  };
}

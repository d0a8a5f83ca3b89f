import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

interface Edges {
  top: number;
  bottom: number;
}

const middleOf = ({ top, bottom }: Edges) => (top + bottom) / 2;

/** The place of a row that is dragged to a height: past another row once it is past its middle. */
export function placeAt(rows: readonly Edges[], from: number, height: number): number {
  const below = rows.findLastIndex((row, index) => index > from && height > middleOf(row));
  if (below >= 0) return below;
  const above = rows.findIndex((row, index) => index < from && height < middleOf(row));
  return above >= 0 ? above : from;
}

interface ReorderOptions {
  count: number;
  move: (from: number, to: number) => void;
  /** Called when a row was moved to its new place. */
  moved: (place: number) => void;
}

const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

/** Lets people order the rows of a list, by dragging the rows' grips or with the arrow keys on them. */
export function useReorder({ count, move, moved }: ReorderOptions) {
  const list = useRef<HTMLUListElement>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const end = () => {
    if (dragged === null) return;
    setDragged(null);
    list.current?.children[dragged]?.querySelector<HTMLElement>('[data-grip]')?.focus();
    moved(dragged);
  };
  return {
    dragged,
    list: {
      ref: list,
      onPointerMove: ({ clientY }: PointerEvent) => {
        if (dragged === null || !list.current) return;
        const rows = [...list.current.children].map((row) => row.getBoundingClientRect());
        const place = placeAt(rows, dragged, clientY);
        if (place === dragged) return;
        move(dragged, place);
        setDragged(place);
      },
      onPointerUp: end,
      onLostPointerCapture: end,
    },
    grip: (index: number) => ({
      'data-grip': true,
      onPointerDown: ({ button, pointerId }: PointerEvent) => {
        if (button !== 0) return;
        // The list captures the pointer, because the grip moves with its row.
        list.current?.setPointerCapture(pointerId);
        setDragged(index);
      },
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
        const place = index + (steps[event.key] ?? 0);
        if (place === index) return;
        event.preventDefault();
        if (place < 0 || place >= count) return;
        const grip = event.currentTarget;
        // A row that the browser has moved has lost the focus, so its grip gets it again.
        flushSync(() => move(index, place));
        grip.focus();
        moved(place);
      },
    }),
  };
}

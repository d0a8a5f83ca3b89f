import { formatDay } from '@linekeeper/contract/dates.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, type BadgeTone } from '#kit/ui/badge.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { Found } from './found.tsx';
import type { SizedColumn, Width } from './table/column.ts';
import { type HiddenColumns, useListDefinition } from './use-list.ts';

/** A column of a list, which the list's texts give its title. */
export type ListColumn<Row> = Omit<SizedColumn<Row>, 'title'>;

type Preset = Partial<Omit<ListColumn<never>, 'id' | 'cell' | 'width'>> & { width: Width };
type Options = Partial<Omit<Preset, 'width'>> & { width?: Partial<Width> };

/** The widths of kinds of columns. They fit the longest words of all four languages, and are the same in all lists. */
const presets = {
  name: { kind: 'name', width: { size: 200, min: 140, scrolled: 208 } },
  text: { width: { size: 144, min: 96, max: 280 } },
  /** The subject of a row, in one line or two. */
  summary: { width: { size: 264, min: 200, max: 640 } },
  /** A column of sentences, which may take several rows. */
  words: { look: 'words', width: { size: 264, min: 176, max: 480 } },
  person: { width: { size: 184, min: 156, max: 260 } },
  status: { width: { size: 132, min: 118 }, skeleton: ['badge'] },
  count: { align: 'end', width: { size: 96, min: 84 } },
  money: { align: 'end', width: { size: 108, min: 96 } },
  day: { look: 'quiet', width: { size: 120, min: 104 } },
  moment: { look: 'quiet', width: { size: 190, min: 172, max: 190 } },
} satisfies Record<string, Preset>;

function preset(kind: Preset) {
  return <Row,>(
    id: string,
    cell: (row: Row) => ReactNode,
    { width, ...options }: Options = {},
  ): ListColumn<Row> => ({ ...kind, ...options, id, cell, width: { ...kind.width, ...width } });
}

const badge = preset(presets.status);
const text = preset(presets.text);

/** Functions that make a column of one kind, such as `column.count('credits', ({ credits }) => credits)`. */
export const column = {
  name: preset(presets.name),
  text,
  /** A text typed by people, on one line, with the searched words marked. */
  found: <Row,>(id: string, textOf: (row: Row) => string | null, options?: Options) =>
    text<Row>(id, (row) => foundIn(textOf(row)), options),
  summary: preset(presets.summary),
  words: preset(presets.words),
  person: preset(presets.person),
  money: preset(presets.money),
  /** A badge that the list itself draws. */
  badge,
  /** A badge with the text and the tone of a status. */
  status: <Row, Status extends string>(
    id: string,
    statusOf: (row: Row) => Status,
    tones: Record<Status, BadgeTone>,
    options?: Options,
  ) =>
    badge<Row>(
      id,
      (row) => <StatusBadge field={id} status={statusOf(row)} tone={tones[statusOf(row)]} />,
      options,
    ),
  count: written(preset(presets.count), (value) => <NumberText value={Number(value)} />),
  day: written(preset(presets.day), (value) => <Day value={String(value)} />),
  moment: written(preset(presets.moment), (value) => <Timestamp value={String(value)} />),
};

function foundIn(value: string | null) {
  return value && <Found text={value} isCut />;
}

/** Numbers, days and moments are formatted in the reader's language; other cells are drawn unchanged. */
function written(make: ReturnType<typeof preset>, write: (value: string | number) => ReactNode) {
  return <Row,>(id: string, cell: (row: Row) => ReactNode, options?: Options) =>
    make<Row>(
      id,
      (row) => {
        const value = cell(row);
        return typeof value === 'string' || typeof value === 'number' ? write(value) : value;
      },
      options,
    );
}

function NumberText({ value }: { value: number }) {
  return useTranslation().t('number', { value });
}

/** A day of the calendar, or the day of a moment in the reader's time zone. */
function Day({ value }: { value: string }) {
  if (value.includes('T')) return <Timestamp value={value} isDay />;
  return <time dateTime={value}>{formatDay(value)}</time>;
}

interface StatusBadgeProps {
  field: string;
  status: string;
  tone: BadgeTone;
}

function StatusBadge({ field, status, tone }: StatusBadgeProps) {
  return <Badge tone={tone}>{useListDefinition().useTexts().value?.(field, status)}</Badge>;
}

/** The declared columns that an account may choose from. */
export function offeredColumns(declared: readonly string[], hidden: readonly string[] = []) {
  return declared.filter((column) => !hidden.includes(column));
}

/** The columns to draw, in the table's order: the chosen ones, and those that are always shown, such as the name. */
export function drawnColumns<Row>(
  columns: readonly ListColumn<Row>[],
  declared: readonly string[],
  shown: readonly string[],
): ListColumn<Row>[] {
  return columns.filter(({ id }) => !declared.includes(id) || shown.includes(id));
}

/** Hides columns about other accounts from readers who are not administrators, for whom they are of no use. */
export const forAdmins =
  (...columns: string[]): HiddenColumns =>
  ({ is_admin }) =>
    is_admin ? [] : columns;

/** The columns with their titles. */
export function titled<Row>(
  columns: readonly ListColumn<Row>[],
  titleOf: (id: string) => string,
): SizedColumn<Row>[] {
  return columns.map((one) => ({ ...one, title: titleOf(one.id) }));
}

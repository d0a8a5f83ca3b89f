import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A sentence of the specification, and what docs/conformance.md gives as proof of it. */
export interface Row {
  id: string;
  says: string;
  /** `file › full name` each. */
  tests: string[];
  /** Pages of docs/decisions, where something else was decided. */
  decisions: string[];
  isNotYet: boolean;
}

const ROW = /^\| (\d+\.\d+) \| (.+) \| (.*) \|$/;
/** Above each table. */
const HEAD = /^\| Spec \||^\|---/;
const TEST = /`([^`]+)`/g;
const DECISION = /\]\((decisions\/[^)]+\.md)\)/g;

/** Reads the tables `| Spec | Says | Proven by |`. */
export function readRows(markdown: string): Row[] {
  return markdown.split('\n').flatMap((line) => {
    const [, id, says, proof] = ROW.exec(line.replaceAll('\\|', '\u0000')) ?? [];
    if (!id || !says || proof === undefined) return [];
    const names = (pattern: RegExp) =>
      [...proof.matchAll(pattern)].map(([, name = '']) => name.replaceAll('\u0000', '|'));
    const tests = names(TEST);
    return [{ id, says, tests, decisions: names(DECISION), isNotYet: /^not yet\b/.test(proof) }];
  });
}

/** Rows of the tables that `readRows` passes over. */
export function unreadRows(markdown: string): string[] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('|') && !HEAD.test(line) && readRows(line).length === 0)
    .map((line) => `A row cannot be read: ${line.slice(0, 80)}`);
}

/** Rows that are missing, and those that are too many, where section n ends with row `lengths[n - 1]`. */
export function miscountedRows(rows: Row[], lengths: readonly number[]): string[] {
  const wanted = lengths.flatMap((length, section) =>
    Array.from({ length }, (_, row) => `${section + 1}.${row + 1}`),
  );
  const ids = new Set(rows.map(({ id }) => id));
  const missing = wanted.filter((id) => !ids.has(id)).map((id) => `${id}: there is no such row`);
  const others = rows.filter(({ id }) => !wanted.includes(id));
  return [...missing, ...others.map(({ id, says }) => `${id} ${says}: its section ends before`)];
}

/** What is wrong with the page itself, whatever the tests say. */
export function faultsOf(rows: Row[], docs: string, notYet: string[]): string[] {
  const faults = rows.length === 0 ? ['There is no row.'] : [];
  const seen = new Set<string>();
  for (const { id, says, tests, decisions, isNotYet } of rows) {
    const say = (fault: string) => faults.push(`${id} ${says}: ${fault}`);
    if (seen.has(id)) say('another row has this number');
    seen.add(id);
    if (isNotYet !== notYet.includes(id)) {
      say(isNotYet ? 'is not yet done, and NOT_YET does not have it' : 'NOT_YET still has it');
    }
    if (tests.length + decisions.length === 0 && !isNotYet) say('neither test nor decision');
    for (const page of decisions) {
      if (!existsSync(join(docs, page))) say(`there is no ${page}`);
    }
  }
  const gone = notYet.filter((id) => !seen.has(id));
  return [...faults, ...gone.map((id) => `${id}: NOT_YET has it, and no row does`)];
}

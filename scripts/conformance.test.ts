import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './prepare.mjs';

const PAGE = join(root, 'scripts/conformance.md');
/** The text between the tests and decisions of a sentence. */
const BREAK = '<br>';
const SENTENCE = /^\| (\d+\.\d+) \| (.*) \| (.*) \|$/;
const TAG = /\bspec:(\d+\.\d+)/g;
/** Matches the options of a test after its title, if it has any. */
const OPTIONS = /(?:(['"`])((?:\\.|(?!\1)[^\\\n])+)\1,\s*)?\{\s*tags?: (?:'[^']*'|\[[^\]]*\])/g;

const text = readFileSync(PAGE, 'utf8');
const sentences = text.split('\n').flatMap((line) => {
  const [, id, says, proof] = SENTENCE.exec(line) ?? [];
  return id && says && proof !== undefined
    ? [{ id, says, decisions: decisionsOf(proof), line }]
    : [];
});

function decisionsOf(proof: string): string[] {
  return proof.split(BREAK).filter((part) => part.startsWith('['));
}

/** The `file › title` of the tests that are tagged with each sentence. */
function taggedTests(): Map<string, string[]> {
  const tagged = new Map<string, string[]>();
  const files = globSync('{apps/*/src,packages/*/src,e2e}/**/*.{ts,tsx}', { cwd: root }).sort();
  for (const file of files) {
    for (const [options, , title] of readFileSync(join(root, file), 'utf8').matchAll(OPTIONS)) {
      for (const [, id = ''] of options.matchAll(TAG)) {
        const name = [file, ...(title ? [title.replaceAll('\\', '')] : [])].join(' › ');
        tagged.set(id, [
          ...new Set([...(tagged.get(id) ?? []), `\`${name.replaceAll('|', '\\|')}\``]),
        ]);
      }
    }
  }
  return tagged;
}

// Decision 0091: a departure from the specification is named in its row, and tested too.
test('each sentence of the specification has a test that is tagged with it, or a decision', () => {
  const tagged = taggedTests();
  const unproven = sentences.filter(({ id, decisions }) => !tagged.has(id) && !decisions.length);
  expect(unproven.map(({ id, says }) => `${id} ${says}`)).toEqual([]);
  const ids = sentences.map(({ id }) => id);
  expect([...tagged.keys()].filter((id) => !ids.includes(id))).toEqual([]);
});

test('the sentences are numbered through, and the pages of their decisions are there', () => {
  const rows = text.split('\n').filter((line) => /^\| \d/.test(line));
  expect(rows.filter((row) => !SENTENCE.test(row))).toEqual([]);
  let [section, row] = [0, 0];
  for (const { id } of sentences) {
    [section, row] = id === `${section + 1}.1` ? [section + 1, 1] : [section, row + 1];
    expect(id).toBe(`${section}.${row}`);
  }
  const pages = sentences.flatMap(({ decisions }) =>
    decisions.map((decision) => /\]\(([^)]+)\)/.exec(decision)?.[1] ?? decision),
  );
  expect(pages.filter((page) => !existsSync(join(dirname(PAGE), page)))).toEqual([]);
});

test('conformance.md names these tests; vitest run scripts/conformance -u writes them', async () => {
  const tagged = taggedTests();
  const page = sentences.reduce((page, { id, says, decisions, line }) => {
    const proof = [...(tagged.get(id) ?? []), ...decisions].join(BREAK);
    return page.replace(line, () => `| ${id} | ${says} | ${proof} |`);
  }, text);
  await expect(page).toMatchFileSnapshot(PAGE);
});

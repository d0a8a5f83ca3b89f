import { checkPassword, checkUsername } from '@linekeeper/agent/rules.ts';
import {
  linePassword,
  lineUsername,
  MAX_CREDENTIAL_BYTES,
} from '@linekeeper/contract/fields/line-credentials.ts';
import { holdsHiddenLetters } from '@linekeeper/contract/fields/names.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

/** The stored form of a username or password; undefined if the panel refuses it. */
const panelTakes = {
  username: (text: string) => lineUsername.safeParse(text).data,
  password: (text: string) => linePassword.safeParse(text).data,
};

function agentTakes(check: (text: string) => string, text: string): boolean {
  try {
    check(text);
    return true;
  } catch {
    return false;
  }
}

/** Mostly printable text, sometimes with characters that break files, around the maximum length. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 70 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .array(
      fc.constantFrom('a', 'ż', '😀', '=', ':', '"', '#', '{', ';', '[', ' ', '\t', '\n', '\0'),
      {
        maxLength: 5,
      },
    )
    .map((parts) => parts.join('')),
  fc.integer({ min: 55, max: 70 }).map((length) => 'a'.repeat(length)),
);

describe.each([
  ['username', panelTakes.username, checkUsername],
  ['password', panelTakes.password, checkPassword],
] as const)('a line %s', (_, panel, agent) => {
  test('that is sold is one the card server takes', () => {
    fc.assert(
      fc.property(text, (given) => {
        const stored = panel(given);
        if (stored !== undefined) expect(agentTakes(agent, stored)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('that the card server takes can be sold, but for invisible characters', () => {
    fc.assert(
      fc.property(text, (given) => {
        fc.pre(!/\p{C}/u.test(given) && !holdsHiddenLetters(given) && given === given.normalize());
        if (agentTakes(agent, given)) expect(panel(given)).toBe(given);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['a b', 'a space'],
    ['a\tb', 'a tab'],
    ['a\nF: root x', 'a line break'],
    ['a\u2028b', 'a line separator'],
    ['a\u00a0b', 'a no-break space'],
    ['a\0b', 'a NUL'],
    ['a#b', 'a comment'],
    ['a{0,0,1}', 'a share limit'],
    [';a', 'a commented line'],
    ['[account]', 'a section'],
    ['a\u202eb', 'a direction override'],
    ['a\u200bb', 'a space without a width'],
    ['\u3164', 'a Hangul filler'],
    ['a\u2800', 'a Braille blank'],
    ['a\ufe0f', 'a selector of a form'],
    ['\ud800', 'half a character'],
    ['ż'.repeat(32), '64 bytes'],
    ['', 'nothing'],
  ])('%j is refused: %s', (given) => {
    expect(panel(given)).toBeUndefined();
  });

  test.each(['anna', 'a.b-c_d@e:f=g', 'Zażółć', '日本', 'a;b[c', '\'quoted"', '%_\\'])(
    '%j is taken as it is',
    (given) => {
      expect(panel(given)).toBe(given);
      expect(agentTakes(agent, given)).toBe(true);
    },
  );

  test('may have as many bytes as card servers keep', () => {
    expect(panel('a'.repeat(MAX_CREDENTIAL_BYTES))).toBe('a'.repeat(63));
    expect(agentTakes(agent, 'a'.repeat(64))).toBe(false);
  });
});

test('spaces around a username are not part of it; those around a password are refused', () => {
  expect(panelTakes.username('  anna ')).toBe('anna');
  expect(panelTakes.password(' secret')).toBeUndefined();
});

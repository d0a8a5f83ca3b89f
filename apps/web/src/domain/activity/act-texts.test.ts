import { auditActions } from '@linekeeper/contract/lists/audit-actions.ts';
import { auditSubjects } from '@linekeeper/contract/lists/audit-subjects.ts';
import { describe, expect, test } from 'vitest';
import de from '#locales/de/activity.json';
import deAudit from '#locales/de/audit.json';
import en from '#locales/en/activity.json';
import enAudit from '#locales/en/audit.json';
import enCommon from '#locales/en/common.json';
import enFrame from '#locales/en/frame.json';
import pl from '#locales/pl/activity.json';
import plAudit from '#locales/pl/audit.json';
import pt from '#locales/pt/activity.json';
import ptAudit from '#locales/pt/audit.json';

const languages = { en: [en, enAudit], de: [de, deAudit], pl: [pl, plAudit], pt: [pt, ptAudit] };

/** The values that the text of a fact must contain. */
const parts: Record<string, string> = {
  codes: 'count',
  cost: 'credits',
  lines: 'count',
  code: 'code',
};

describe.each(Object.entries(languages))('in %s', (_, [activity, audit]) => {
  test.each(auditActions)('%s has a text', (action) => {
    const text = action
      .split('.')
      .reduce<unknown>(
        (all, key) => (all as Record<string, unknown>)[key],
        (activity as typeof en).actions,
      );
    expect(text).toEqual(expect.stringMatching(/\S{2}/));
  });

  test('every kind of subject has a name, and every fact names its part', () => {
    const { subjects } = audit as typeof enAudit;
    const named = { ...enFrame.field, ...enCommon.field, ...subjects };
    expect(Object.keys(named)).toEqual(expect.arrayContaining([...auditSubjects]));
    const facts = Object.entries((activity as typeof en).facts);
    expect(new Set(facts.map(([key]) => key.split('_')[0]))).toEqual(new Set(Object.keys(parts)));
    for (const [key, text] of facts) {
      expect(text).toContain(`{{${parts[key.split('_')[0] ?? '']}`);
    }
  });
});

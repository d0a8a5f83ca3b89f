import {
  MAX_TEXT_LENGTH,
  type Placeholder,
  placeholders,
  placeholdersOf,
} from '@linekeeper/contract/text/own-texts.ts';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { type ReactNode, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { changeSelected } from '#kit/forms/fields/change-selected.ts';
import { useCodeText } from '#platform/i18n/use-error-text.ts';
import { withInserted, withoutBroken } from './whole-placeholder.ts';

interface TextEditorProps {
  label: string;
  /** The language of the text. */
  lang: string;
  value: string;
  onChange: (text: string) => void;
}

/**
 * The look of the letters in the text box and in the text that is drawn below it: the same, so that each letter covers
 * its copy.
 */
const SAME =
  'p-4 type-[400_15px/30px_var(--font)] whitespace-pre-wrap wrap-anywhere phone:type-[400_16px/30px_var(--font)]';

/** A text with placeholders, each drawn as a chip, with buttons that insert them. */
export function TextEditor({ label, lang, value, onChange }: TextEditorProps) {
  const { t } = useTranslation('texts');
  const codeText = useCodeText();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const { known, unknown } = placeholdersOf(value);
  const isTooLong = value.length > MAX_TEXT_LENGTH;
  const isWrong = unknown !== null || isTooLong;
  const change = ({ text, caret }: { text: string; caret: number }) => {
    if (area.current) changeSelected(area.current, () => onChange(text), [caret, caret]);
  };
  const insert = (word: Placeholder) => {
    const { selectionStart: from = value.length, selectionEnd: to = from } = area.current ?? {};
    change(withInserted(value, word, from, to));
  };
  return (
    <>
      <div>
        <div className="flex items-center justify-between gap-2 mb-2">
          <label className="type-strong" htmlFor={id}>
            {label}
          </label>
          <span className={`type-caption ${isTooLong ? 'text-danger' : 'text-text-2'}`}>
            {t('length', { length: value.length, maximum: MAX_TEXT_LENGTH })}
          </span>
        </div>
        <div
          className={`field-box relative w-full min-h-71 ${isWrong ? 'border-danger [&:has(textarea:focus)]:border-danger [&:has(textarea:focus)]:shadow-[inset_0_0_0_1px_var(--color-danger)]' : ''}`}
          lang={lang}
        >
          {/* This element makes the editor as high as the text, which lies over it. */}
          <div className={SAME} aria-hidden="true">
            <Drawn text={value} />
          </div>
          <textarea
            ref={area}
            id={id}
            className={`absolute inset-0 w-full h-full resize-none overflow-hidden [padding:16px]! text-transparent caret-text [-webkit-text-fill-color:transparent] selection:bg-[rgba(11,99,214,0.2)] forced-color-adjust-none ${SAME}`}
            dir="auto"
            value={value}
            aria-invalid={isWrong || undefined}
            aria-describedby={`${id}-help`}
            onChange={({ target }) => {
              const broken = withoutBroken(value, target.value, target.selectionStart);
              if (broken) change(broken);
              else onChange(target.value);
            }}
          />
        </div>
        <p
          id={`${id}-help`}
          className={`flex items-center gap-1 mt-2 type-caption ${unknown ? 'text-danger' : 'text-success-fg'}`}
          role="status"
        >
          {unknown ? <CircleAlert size={14} /> : <CircleCheck size={14} />}
          {unknown
            ? codeText('UNKNOWN_PLACEHOLDER', { placeholder: unknown })
            : known.length === 0
              ? t('knownNone')
              : t('known', { count: known.length })}
        </p>
      </div>
      <Chips used={known} onInsert={insert} />
    </>
  );
}

/** The names of placeholders elsewhere in the panel. */
const nameOf = {
  name: 'field.name',
  username: 'field.username',
  password: 'field.password',
  address: 'field.server',
  port: 'field.port',
  c_line: 'recurring.cLine',
  expiry: 'field.expiry',
  plan: 'field.plan',
  price: 'field.price',
  owes: 'payment.owes',
  page: 'placeholder.page',
} as const satisfies Record<Placeholder, string>;

interface ChipsProps {
  used: readonly Placeholder[];
  onInsert: (word: Placeholder) => void;
}

function Chips({ used, onInsert }: ChipsProps) {
  const { t } = useTranslation('texts');
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className="flex items-center justify-between gap-2 mb-2">
        <h2 id={id} className="type-strong">
          {t('insert')}
        </h2>
        <span className="text-text-2 type-caption">{t('insertHint')}</span>
      </div>
      <div className="flex flex-wrap gap-2">
        {placeholders.map((word) => (
          <button
            key={word}
            type="button"
            className={`min-h-8 px-3 border rounded-badge text-primary-dark type-[600_13px/18px_var(--font)] hover:bg-hover phone:min-h-11 ${used.includes(word) ? 'border-transparent bg-primary-soft' : 'border-divider-strong'}`}
            title={`{${word}}`}
            onClick={() => onInsert(word)}
          >
            {t(nameOf[word])}
          </button>
        ))}
      </div>
    </section>
  );
}

const isKnown = (word: string) => placeholdersOf(word).unknown === null;

/** The typed text with its placeholders drawn as chips. The braces of a placeholder are the ends of its chip. */
function Drawn({ text }: { text: string }): ReactNode {
  const parts = text.split(/(\{[^{}\n]*\})/);
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no ids
            key={index}
            className={`py-1 rounded-badge ${isKnown(part) ? 'bg-primary-tint text-primary-dark' : 'bg-error-bg text-error-fg'}`}
          >
            <span className="opacity-0">{'{'}</span>
            {part.slice(1, -1)}
            <span className="opacity-0">{'}'}</span>
          </span>
        ),
      )}
      {/* Without a character, an empty last row would have no height. */}
      {'\u200b'}
    </>
  );
}

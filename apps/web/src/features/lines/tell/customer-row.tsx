import { languages } from '@linekeeper/contract/languages.ts';
import type { Customer } from '@linekeeper/contract/lines/customers.ts';
import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ShareButton } from '#domain/lines/share-button.tsx';
import { Checkbox } from '#kit/ui/controls/checkbox.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Caption, Row, Stack, Strong } from '#kit/ui/vocabulary.tsx';
import { CopyText } from './copy-text.tsx';
import type { ReadyText } from './ready-text.tsx';
import styles from './tell.module.css';

interface CustomerRowProps {
  customer: Customer;
  text: ReadyText;
  onMark: (isTold: boolean) => void;
}

/** A customer with the mark, and the ways to hand the text over in their language. */
export function CustomerRow({ customer, text, onMark }: CustomerRowProps) {
  const { t } = useTranslation('bulk');
  const { username, name, notes, told_at } = customer;
  const about = name || notes;
  return (
    <Row as="li" gap={16} phoneGap={12}>
      <Checkbox
        label={t('tell.markOf', { username })}
        checked={told_at !== null}
        onChange={({ target }) => onMark(target.checked)}
      />
      <Stack as="span" grow wraps>
        <Strong>
          <TypedText>{username}</TypedText>
        </Strong>
        {about && (
          <Caption cut>
            <TypedText>{about}</TypedText>
          </Caption>
        )}
      </Stack>
      <Row gap={8} className={styles.handOver}>
        <LanguageOf customer={customer} text={text} />
        <CopyText
          size="small"
          label={t('tell.copyOf', { username })}
          getText={() => text.textFor(customer)}
          onCopied={() => onMark(true)}
        />
        <ShareButton
          size="small"
          label={t('tell.shareOf', { username })}
          getText={() => text.textFor(customer)}
          onShared={() => onMark(true)}
        />
      </Row>
    </Row>
  );
}

/** The language of one customer's text: that of all, until another is chosen. */
function LanguageOf({ customer, text }: Pick<CustomerRowProps, 'customer' | 'text'>) {
  const { t } = useTranslation('bulk');
  const { username, line_id } = customer;
  return (
    <span className={`field-box ${styles.language}`}>
      <select
        aria-label={t('tell.languageOf', { username })}
        value={text.languageOf(customer)}
        onChange={({ target }) => {
          const chosen = languages.find((one) => one === target.value);
          if (chosen) text.setLanguageOf(line_id, chosen);
        }}
      >
        {languages.map((one) => (
          <option key={one} value={one} lang={one}>
            {one.toUpperCase()}
          </option>
        ))}
      </select>
      <ChevronDown size={16} />
    </span>
  );
}

import { languages } from '@linekeeper/contract/languages.ts';
import type { Customer } from '@linekeeper/contract/lines/customers.ts';
import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ShareButton } from '#domain/lines/share-button.tsx';
import { Checkbox } from '#kit/ui/controls/checkbox.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { CopyText } from './copy-text.tsx';
import type { ReadyText } from './ready-text.tsx';

interface CustomerRowProps {
  customer: Customer;
  text: ReadyText;
  onMark: (isTold: boolean) => void;
}

/**
 * A customer to notify: a checkbox for "notified", and buttons to share or copy the text in the customer's language.
 */
export function CustomerRow({ customer, text, onMark }: CustomerRowProps) {
  const { t } = useTranslation('bulk');
  const { username, name, notes, told_at } = customer;
  const about = name || notes;
  return (
    <li className="flex items-center gap-4 phone:gap-3">
      <Checkbox
        label={t('tell.markOf', { username })}
        checked={told_at !== null}
        onChange={({ target }) => onMark(target.checked)}
      />
      <span className="grid grid-cols-1 flex-1 min-w-0 wrap-anywhere">
        <b className="type-strong">
          <TypedText>{username}</TypedText>
        </b>
        {about && (
          <span className="text-text-2 type-caption truncate">
            <TypedText>{about}</TypedText>
          </span>
        )}
      </span>
      <div className="flex items-center gap-2 flex-none phone:flex-[1_0_100%] phone:justify-end">
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
      </div>
    </li>
  );
}

/** The language of one customer's text: the language for all, until another is chosen. */
function LanguageOf({ customer, text }: Pick<CustomerRowProps, 'customer' | 'text'>) {
  const { t } = useTranslation('bulk');
  const { username, line_id } = customer;
  return (
    <span className="field-box relative flex items-center w-auto h-8 p-0 [&_option]:text-text phone:h-11">
      <select
        className="h-full pt-0 pr-7 pb-0 pl-3 [appearance:none] cursor-pointer"
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
      <ChevronDown className="absolute end-2 pointer-events-none" size={16} />
    </span>
  );
}

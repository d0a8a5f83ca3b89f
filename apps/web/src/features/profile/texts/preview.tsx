import { addDays } from '@linekeeper/contract/dates.ts';
import type { Language } from '@linekeeper/contract/languages.ts';
import { factsOf, fillText } from '@linekeeper/contract/text/own-texts.ts';
import { useTranslation } from 'react-i18next';
import { Avatar } from '#kit/ui/avatar.tsx';
import { useToday } from '#platform/data/settings.ts';

const customer = { name: 'Beata Lis', phone: '+48 22 5550 0118' };

/** A line as an example, with dots in place of its password. */
const example = {
  name: 'Beata',
  username: 'salon-mokotow',
  password: '••••',
  price_minor: 1200,
  currency: 'EUR',
  plan: 'Standard',
  owes: '12\u00a0EUR',
  page: 'https://my.lines.example/l/k7Qm…',
  host_port: [],
  servers: [
    {
      host_port: 'waw2.lines.example:12000',
      protocol: 'CCcam' as const,
      des_key: null,
      newcamd_ports: [],
    },
  ],
};

interface PreviewProps {
  text: string;
  language: Language;
}

/** The text as a customer gets it. */
export function Preview({ text, language }: PreviewProps) {
  const { t } = useTranslation('texts');
  const expiry_date = addDays(useToday(), 26);
  return (
    <section aria-label={t('preview.title', { name: example.name })}>
      <div className="flex items-center justify-between gap-2 mb-2">
        <h2 className="type-strong">{t('preview.title', { name: example.name })}</h2>
        <span className="text-text-2 type-caption">{t('preview.hint')}</span>
      </div>
      <div className="border border-divider-strong rounded-[24px] bg-neutral-bg overflow-hidden shadow-(--shade-card) phone:rounded-card">
        <div className="flex items-center gap-3 py-3 px-4 bg-paper border-b border-b-divider">
          <Avatar accountId={customer.phone} name={customer.name} size={32} />
          <div>
            <p className="type-strong">{customer.name}</p>
            <p className="text-text-2 type-caption">{customer.phone}</p>
          </div>
        </div>
        <div className="p-4 pt-5">
          <p
            className="ms-10 py-2 px-4 rounded-[12px] rounded-se-none bg-success-bg wrap-anywhere whitespace-pre-wrap"
            lang={language}
          >
            {fillText(text, factsOf({ ...example, expiry_date }, language))}
          </p>
        </div>
      </div>
    </section>
  );
}

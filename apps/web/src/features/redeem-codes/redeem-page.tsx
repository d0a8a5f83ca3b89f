import { redeem } from '@linekeeper/contract/credits/redeem-codes.ts';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../shared/commands/use-command.ts';
import { useMe } from '../../shared/data/session.ts';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Banner } from '../../shared/ui/states/banner.tsx';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import { Caption } from '../../shared/ui/vocabulary.tsx';
import styles from './redeem.module.css';
import { RedemptionHistory } from './redemption-history.tsx';

export function RedeemPage() {
  return (
    <>
      <PageHeader />
      <div className={styles.columns}>
        <RedeemCard />
        <RedemptionHistory />
      </div>
    </>
  );
}

const nothingTyped = { code: '' };

function RedeemCard() {
  const { t } = useTranslation('redeem');
  const blocked = useNeedsConnection();
  const form = useContractForm({ schema: redeem.body, defaultValues: nothingTyped });
  const [added, setAdded] = useState<number | null>(null);
  const submission = useSubmit({
    form,
    command: useCommand(redeem, { refreshes: ['me', 'redemptions'] }),
    bodyOf: (body) => {
      setAdded(null);
      return body;
    },
    done: ({ credits }) => {
      form.reset(nothingTyped);
      setAdded(credits);
    },
    fieldOfCode: {
      INVALID_OR_EXPIRED_CODE: 'code',
      CODE_ALREADY_REDEEMED: 'code',
      TOO_MANY_ATTEMPTS: 'code',
    },
    isGuarded: false,
  });
  return (
    <Card title={t('form.title')} className={styles.redeem}>
      <Form submission={submission} label={t('title')} className={styles.form}>
        <FormProblems form={form} />
        <TextInput
          control={form.control}
          name="code"
          label={t('form.code')}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          required
        />
        <SubmitButton pending={submission.isPending} blocked={blocked} fullWidth>
          {t('form.submit')}
        </SubmitButton>
        <div role="status">
          {added !== null && (
            <Banner tone="success" icon={<CircleCheck />} title={t('done', { count: added })} />
          )}
        </div>
        <BalanceHint />
      </Form>
    </Card>
  );
}

function BalanceHint() {
  const { t } = useTranslation('redeem');
  const { credits, is_admin } = useMe();
  const balance = t('credits.amount', { count: credits });
  return <Caption as="p">{t(is_admin ? 'form.adminHint' : 'form.hint', { balance })}</Caption>;
}

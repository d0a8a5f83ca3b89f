import { formatDay } from '@linekeeper/contract/dates.ts';
import { type Line, MASKED_PASSWORD } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { Eye, EyeOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/buttons/button.tsx';
import { Segments } from '../../ui/controls/segments.tsx';
import { FailedPanel } from '../../ui/states/failed-panel.tsx';
import { useNeedsConnection } from '../../ui/use-needs-connection.ts';
import { Row, Stack } from '../../ui/vocabulary.tsx';
import { lineServerQuery } from '../queries.ts';
import { type ReceiverForm, useForm } from './forms.ts';
import { ReceiverActions } from './receiver-actions.tsx';
import { CccamForm, NewcamdForm, NoPorts, OscamForm } from './receiver-forms.tsx';
import styles from './receivers.module.css';
import { type LineServer, receiversOfLine, useLinePassword } from './use-receivers.ts';

interface ReceiversProps {
  line: Line;
  /** The password where it was typed a moment ago; else it is masked until somebody asks for it. */
  known?: string | undefined;
}

/** What the customer enters into a receiver, in the forms that the line's server speaks. */
export function Receivers({ line, known }: ReceiversProps) {
  const { data: server, error, refetch } = useQuery(lineServerQuery(line.id));
  if (server) return <LoadedReceivers line={line} known={known} server={server} />;
  return (
    <Stack gap={16} className={styles.receivers} aria-busy={!error}>
      {error && <FailedPanel error={error} onRetry={() => refetch()} />}
    </Stack>
  );
}

function LoadedReceivers({ line, known, server }: ReceiversProps & { server: LineServer }) {
  const { t } = useTranslation('lines');
  const password = useLinePassword(line, known);
  const { form, choose, offered } = useForm(server);
  const receivers = receiversOfLine(line, server, password.shown ?? MASKED_PASSWORD);
  const getReceivers = async () => receiversOfLine(line, server, await password.getPassword());
  const shown = { line, server, receivers, password: password.shown ?? MASKED_PASSWORD };
  const isEmpty = form === 'newcamd' && receivers.newcamd.length === 0;
  return (
    <Stack gap={16} className={styles.receivers}>
      <Row justify="between" wrap className={styles.head}>
        <h3>{t('receivers.title')}</h3>
        <ShowButton password={password} />
      </Row>
      <FormChoice form={form} offered={offered} onChoose={choose} />
      {form === 'cccam' && (
        <CccamForm {...shown} getReceivers={getReceivers} getPassword={password.getPassword} />
      )}
      {form === 'newcamd' &&
        (isEmpty ? (
          <NoPorts {...shown} getPassword={password.getPassword} />
        ) : (
          <NewcamdForm {...shown} getReceivers={getReceivers} />
        ))}
      {(form === 'oscam_cccam' || form === 'oscam_newcamd') && (
        <OscamForm
          {...shown}
          form={form}
          offered={offered}
          onChoose={choose}
          getReceivers={getReceivers}
        />
      )}
      <p className={styles.expiry}>
        {t('receivers.validThrough')} <b>{formatDay(line.expiry_date)}</b>
      </p>
      {!isEmpty && (
        <ReceiverActions
          key={form}
          line={line}
          server={server}
          form={form}
          getReceivers={getReceivers}
          isKnown={password.isKnown}
        />
      )}
    </Stack>
  );
}

function ShowButton({ password }: { password: ReturnType<typeof useLinePassword> }) {
  const { t } = useTranslation();
  const isShown = password.shown !== undefined;
  const needsConnection = useNeedsConnection();
  return (
    <Button
      variant="text"
      size="small"
      icon={isShown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
      pending={password.isPending}
      blocked={password.isKnown ? undefined : needsConnection}
      onClick={password.toggle}
    >
      {t(isShown ? 'form.hidePassword' : 'form.showPassword')}
    </Button>
  );
}

interface FormChoiceProps {
  form: ReceiverForm;
  offered: readonly ReceiverForm[];
  onChoose: (form: ReceiverForm) => void;
}

/** C line, N lines or OSCam; what there is of OSCam is chosen below. */
function FormChoice({ form, offered, onChoose }: FormChoiceProps) {
  const { t } = useTranslation('lines');
  const kinds = (['cccam', 'newcamd', 'oscam'] as const).flatMap((kind) => {
    const first = offered.find((one) => one.startsWith(kind));
    return first ? [{ kind, first }] : [];
  });
  if (kinds.length < 2) return null;
  const chosen = kinds.find(({ kind }) => form.startsWith(kind)) ?? kinds[0];
  return (
    <div className={styles.choice}>
      <Segments
        label={t('receivers.form')}
        value={chosen?.first ?? form}
        options={kinds.map(({ kind, first }) => ({ value: first, label: t(`receivers.${kind}`) }))}
        onChange={onChoose}
      />
    </div>
  );
}

import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { mustChange } from '@linekeeper/contract/lines/receivers.ts';
import { customerAddress } from '@linekeeper/contract/servers/customer-address.ts';
import type { Server, serverCustomers } from '@linekeeper/contract/servers/servers.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { AddressChange } from '../../../shared/lines/address-change.tsx';
import { toast } from '../../../shared/state/toast.ts';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { customersFile, type ServerAsItWouldBe, serverCustomersQuery } from '../queries.ts';
import styles from './server-form.module.css';
import {
  editServerForm,
  enteredAddress,
  type ServerFormOf,
  type ServerValues,
  serverLines,
} from './server-form-schemas.ts';

type Customers = Reply<typeof serverCustomers>;

interface Question {
  from: string[];
  to: string[];
  query: ServerAsItWouldBe;
}

/** Lines that customers enter now, and would enter with the typed values. */
function questionOf(server: Server, values: ServerValues): Question {
  const { protocol, des_key, newcamd_ports } = values;
  const { host, port } = enteredAddress(values);
  return {
    from: serverLines(server, customerAddress(server)),
    to: serverLines(values, { host, port }),
    query: {
      host,
      port,
      protocol,
      des_key: des_key ?? '',
      newcamd_ports: JSON.stringify(newcamd_ports),
    },
  };
}

/** Asks before saving what makes customers enter something else, with whom it concerns. */
export function useAddressQuestion(form: ServerFormOf, server: Server, save: () => Promise<void>) {
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const [asked, setAsked] = useState<Question & { customers: Customers }>();
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    const read = editServerForm.safeParse(form.getValues());
    if (!read.success) return save();
    const question = questionOf(server, read.data);
    if (!mustChange(question.from, question.to)) return save();
    try {
      const customers = await queryClient.fetchQuery(
        serverCustomersQuery(server.id, question.query),
      );
      if (customers.lines > 0) setAsked({ ...question, customers });
      else await save();
    } catch (error) {
      toast.error(errorText(error));
    }
  };
  const answer = () => {
    setAsked(undefined);
    void save();
  };
  const dialog = asked && (
    <AddressQuestion
      {...asked}
      server={server}
      onConfirm={answer}
      onClose={() => setAsked(undefined)}
    />
  );
  return { submit, dialog };
}

interface AddressQuestionProps extends Question {
  server: Server;
  customers: Customers;
  onConfirm: () => void;
  onClose: () => void;
}

function AddressQuestion(props: AddressQuestionProps) {
  const { server, from, to, query, customers, onConfirm, onClose } = props;
  const { t } = useTranslation('servers');
  return (
    <ConfirmDialog
      open
      title={t('addressQuestion.title')}
      confirmLabel={t('addressQuestion.confirm')}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <div className={styles.question}>
        <AddressChange
          from={from}
          to={to}
          count={customers.lines}
          explanation={t('addressQuestion.explained')}
          listAddress={customersFile(server.id, query)}
        />
      </div>
    </ConfirmDialog>
  );
}

import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { customerAddress } from '@linekeeper/contract/servers/customer-address.ts';
import type { Server, serverCustomers } from '@linekeeper/contract/servers/servers.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { AddressChange } from '../../../shared/lines/address-change.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { toast } from '../../../shared/ui/toasts/toast.ts';
import { customersFile, serverCustomersQuery } from '../queries.ts';
import styles from './server-form.module.css';
import { enteredAddress, type ServerFormOf } from './server-form-schemas.ts';

type Customers = Reply<typeof serverCustomers>;
type Address = ReturnType<typeof customerAddress>;

const textOf = ({ host, port }: Address) => `${host}:${port}`;

/** Asks before saving an address for customers that lines have, with who has it. */
export function useAddressQuestion(form: ServerFormOf, server: Server, save: () => Promise<void>) {
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const [asked, setAsked] = useState<{ to: Address; customers: Customers }>();
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    const to = enteredAddress(form.getValues());
    if (textOf(to) === textOf(customerAddress(server)) || !(await form.trigger())) return save();
    try {
      const customers = await queryClient.fetchQuery(serverCustomersQuery(server.id));
      if (customers.lines > 0) setAsked({ to, customers });
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

interface AddressQuestionProps {
  server: Server;
  to: Address;
  customers: Customers;
  onConfirm: () => void;
  onClose: () => void;
}

function AddressQuestion({ server, to, customers, onConfirm, onClose }: AddressQuestionProps) {
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
          from={textOf(customerAddress(server))}
          to={textOf(to)}
          count={customers.lines}
          protocol={server.protocol}
          explanation={t('addressQuestion.explained')}
          listAddress={customersFile(server.id, to.host, to.port)}
        />
      </div>
    </ConfirmDialog>
  );
}

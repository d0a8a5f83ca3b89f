import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { mustChange } from '@linekeeper/contract/lines/receivers.ts';
import { customerAddress } from '@linekeeper/contract/servers/customer-address.ts';
import {
  editServer,
  type Server,
  type serverCustomers,
} from '@linekeeper/contract/servers/servers.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddressChange } from '#domain/lines/address-change.tsx';
import {
  customersFile,
  type ServerAsItWouldBe,
  serverCustomersQuery,
} from '#domain/servers/server-customers.ts';
import { ServerFrame } from '#features/servers/server-frame.tsx';
import { useTestServer } from '#features/servers/use-server-tests.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { changedFields } from '#kit/forms/changed-fields.ts';
import { useContractForm } from '#kit/forms/use-contract-form.ts';
import { useSubmit } from '#kit/forms/use-submit.ts';
import { ConfirmDialog } from '#kit/overlays/dialogs/confirm-dialog.tsx';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';
import { ServerForm } from './server-form.tsx';
import {
  addServerForm,
  editServerForm,
  enteredAddress,
  type ServerFormOf,
  type ServerValues,
  serverLines,
} from './server-form-schemas.ts';
import { useFormTest } from './use-form-test.ts';

/** The tab with the server's settings. */
export function EditServerPage() {
  return (
    <ServerFrame tab="edit">
      {(server) => <EditServerForm key={server.id} server={server} />}
    </ServerFrame>
  );
}

function storedValues(server: Server): ServerValues {
  const fields = Object.keys(addServerForm.shape).map((name) => [name, server[name as 'kind']]);
  return { ...Object.fromEntries(fields), password: '' };
}

const connectionFields = [
  ...['host_ip', 'api_port', 'api_scheme', 'username', 'password'],
  ...['kind', 'tls_fingerprint', 'plain_http_allowed'],
];

function EditServerForm({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const navigate = useNavigate();
  const form = useContractForm({ schema: editServerForm, values: storedValues(server) });
  const test = useFormTest(form, server);
  const testEdited = useTestServer();
  const submission = useSubmit({
    form,
    bodyOf: (values) => changedFields(values, form.getValues(), storedValues(server)),
    command: useCommand(editServer, { params: { id: server.id }, refreshes: ['servers'] }),
    done: ({ server: edited, to_tell, job_id }, body) => {
      results.success(t('saved', { name: edited.server_name }));
      // The stored status describes the old connection settings, so the new ones are tested.
      if (connectionFields.some((name) => name in body)) void testEdited.send(edited);
      if (job_id && to_tell > 0) {
        return navigate({ to: '/users/tell/$id', params: { id: job_id } });
      }
      return navigate({ to: '/cccam-servers/$id', params: { id: server.id } });
    },
    fieldOfCode: { INVALID_HOST: 'host_ip' },
  });
  // The stored password belongs to another program, so a new one is needed.
  const save = async (event?: FormEvent) => {
    event?.preventDefault();
    const { kind, username, password } = form.getValues();
    if (kind === server.kind || username.trim() === '' || password !== '') {
      return submission.submit(event);
    }
    const message = t('form.password_for_test');
    form.setError('password', { type: 'manual', message }, { shouldFocus: true });
  };
  const question = useAddressQuestion(form, server, save);
  return (
    <>
      {question.dialog}
      <ServerForm
        server={server}
        form={form}
        submission={{ ...submission, submit: question.submit }}
        test={test}
      />
    </>
  );
}

type Customers = Reply<typeof serverCustomers>;

interface Question {
  from: string[];
  to: string[];
  query: ServerAsItWouldBe;
}

/** The query that compares the present C and N lines of customers with those of the typed values. */
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

/** Asks before saving a change that customers have to make in their receivers, with the number of customers. */
function useAddressQuestion(form: ServerFormOf, server: Server, save: () => Promise<void>) {
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
      results.error(errorText(error));
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
      <div className="mt-4">
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

import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { Plus, Server as ServerIcon } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useFieldArray, useFormState } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { plansQuery, serversQuery } from '#features/prices/queries.ts';
import { useFieldErrorText } from '#kit/forms/fields/use-field.ts';
import { useShownWhenWrong } from '#kit/forms/use-shown-when-wrong.ts';
import { TAB } from '#kit/list/views/tab-bar.tsx';
import { LazyMenuButton } from '#kit/overlays/lazy-menu-button.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { enteredRights, type PlanFormOf } from './plan-form.ts';
import { ServerRights } from './server-rights.tsx';

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

/** The servers of the plan as tabs, each with the rights of the lines there. */
export function PlanServers({ form }: { form: PlanFormOf }) {
  const { t } = useTranslation('prices');
  const id = useId();
  const { control } = form;
  const { fields, append, remove } = useFieldArray({ control, name: 'servers', keyName: 'key' });
  const { data } = useQuery(serversQuery());
  const nameOf = useServerName(data?.items);
  const tabs = useRef<HTMLDivElement>(null);
  const { shown, show, panel } = useShownServer(form, fields.length);
  const { errors } = useFormState({ control });
  const problem = useFieldErrorText()(errors.servers?.root ?? (errors.servers as undefined));
  const current = fields[shown];
  const others = data?.items.filter(
    (server) => !fields.some(({ server_id }) => server_id === server.id),
  );
  /** Changes the tabs, and moves the focus to the current one. */
  const change = (act: () => void) => {
    flushSync(act);
    tabs.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  };
  const move = ({ key }: KeyboardEvent) => {
    const place = shown + (steps[key] ?? 0);
    if (place === shown || place < 0 || place >= fields.length) return;
    change(() => show(place));
  };
  return (
    <fieldset className="min-w-0">
      <legend id={`${id}-title`} className="mb-2 type-strong">
        {t('plans.onEachServer')}
      </legend>
      <div className="border border-divider-strong rounded-[12px] overflow-clip">
        <div className="flex items-stretch gap-6 h-12 px-4 bg-head overflow-x-auto overflow-y-hidden whitespace-nowrap [scrollbar-width:none] [box-shadow:inset_0_-1px_0_var(--color-divider-strong)]">
          {fields.length > 0 && (
            <div
              ref={tabs}
              role="tablist"
              aria-labelledby={`${id}-title`}
              className="flex gap-6"
              onKeyDown={move}
            >
              {fields.map(({ key, server_id }, index) => (
                <button
                  key={key}
                  type="button"
                  role="tab"
                  id={`${id}-${index}`}
                  data-current={index === shown || undefined}
                  className={`${TAB} ${errors.servers?.[index] ? 'text-danger' : ''}`}
                  aria-selected={index === shown}
                  aria-controls={`${id}-shown`}
                  tabIndex={index === shown ? 0 : -1}
                  onClick={() => show(index)}
                >
                  <TypedText>{nameOf(server_id)}</TypedText>
                </button>
              ))}
            </div>
          )}
          <AddServer
            servers={others}
            onAdd={(server_id) =>
              change(() => {
                append(enteredRights({ server_id }), { shouldFocus: false });
                show(fields.length);
              })
            }
          />
        </div>
        {current ? (
          <div
            ref={panel}
            role="tabpanel"
            id={`${id}-shown`}
            aria-labelledby={`${id}-${shown}`}
            className="grid grid-cols-1 gap-6 p-5 phone:p-4"
          >
            <ServerRights
              key={current.key}
              form={form}
              index={shown}
              server={data?.items.find((server) => server.id === current.server_id)}
            />
            <span className="-ms-2 -mt-2">
              <Button
                variant="text"
                tone="danger"
                size="small"
                onClick={() =>
                  change(() => {
                    remove(shown);
                    show(Math.max(0, shown - 1));
                  })
                }
              >
                {t('plans.removeServer', { name: nameOf(current.server_id) })}
              </Button>
            </span>
          </div>
        ) : (
          <p className="p-5 text-text-2 phone:p-4">{t('plans.noServers')}</p>
        )}
      </div>
      {problem && <p className="mt-1 text-danger type-caption">{problem}</p>}
    </fieldset>
  );
}

/** The server whose tab is open: after an attempt to save, the first one with an error. */
function useShownServer({ control }: PlanFormOf, count: number) {
  const [shown, show] = useState(0);
  const { errors, submitCount } = useFormState({ control });
  const wrong = Array.from({ length: count }, (_, index) => index).filter(
    (index) => errors.servers?.[index],
  );
  const [first] = wrong;
  const panel = useShownWhenWrong<HTMLDivElement>({
    isWrong: first !== undefined,
    submitCount,
    show: () => {
      if (first !== undefined && submitCount > 0 && !wrong.includes(shown)) show(first);
    },
  });
  return { shown: Math.min(shown, Math.max(0, count - 1)), show, panel };
}

/** Returns a function that names a server, even one that is no longer in the list. */
function useServerName(servers: readonly Server[] = []) {
  const { data } = useQuery(plansQuery());
  const named = data?.items.flatMap((plan) => plan.servers) ?? [];
  return (id: string) =>
    servers.find((server) => server.id === id)?.server_name ??
    named.find(({ server_id }) => server_id === id)?.server_name ??
    id;
}

const MoreEntries = lazyPart(() => import('#kit/overlays/more-list.tsx'), 'MoreEntries');

interface AddServerProps {
  /** Servers that the plan does not have yet. */
  servers: readonly Server[] | undefined;
  onAdd: (id: string) => void;
}

function AddServer({ servers = [], onAdd }: AddServerProps) {
  const { t } = useTranslation('prices');
  if (servers.length === 0) return null;
  return (
    <LazyMenuButton
      fetch={MoreEntries.fetch}
      button={(opener) => (
        <button type="button" className={TAB} aria-label={t('plans.addServer')} {...opener}>
          <Plus size={16} aria-hidden="true" />
          <span className="phone:hidden">{t('field.server')}</span>
        </button>
      )}
      menu={(opened) => (
        <MoreEntries
          {...opened}
          label={t('plans.addServer')}
          entries={servers.map(({ id, server_name }) => ({
            name: id,
            text: server_name,
            icon: ServerIcon,
            act: () => onAdd(id),
          }))}
        />
      )}
    />
  );
}

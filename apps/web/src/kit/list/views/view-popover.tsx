import {
  MAX_SAVED_VIEWS,
  type SavedView,
  viewName,
} from '@linekeeper/contract/lists/preferences.ts';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import { InputBox } from '#kit/forms/fields/input-box.tsx';
import { useListDefinition, useListSearch } from '#kit/list/use-list.ts';
import { useChangeListPreferences, useListPreferences } from '#kit/list/use-list-preferences.ts';
import { Popover } from '#kit/overlays/overlays.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { viewOf } from '#screens/address.ts';

interface ViewPopoverProps {
  /** The saved view to edit; undefined to save the current filters as a new one. */
  view: SavedView | undefined;
  anchor: HTMLElement;
  onClose: () => void;
}

export function ViewPopover({ view, anchor, onClose }: ViewPopoverProps) {
  const { t } = useTranslation();
  const titleId = useId();
  return (
    <Popover
      anchor={anchor}
      align="end"
      gap={8}
      aria-labelledby={titleId}
      disableRestoreFocus
      onClose={onClose}
    >
      <div className="w-94 max-w-full pt-4 px-5 pb-5">
        <h2 className="mb-4" id={titleId}>
          {view ? t('editOf', { name: view.name }) : t('list.savedViews.save')}
        </h2>
        <ViewForm view={view} onClose={onClose} />
      </div>
    </Popover>
  );
}

/** Validates a view's name; the returned function gives the error message, or undefined. */
function useNameProblem(view: SavedView | undefined) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { views: savedViews } = useListPreferences();
  return (name: string): string | undefined => {
    const code = viewName.safeParse(name).error?.issues[0]?.message;
    if (code) return errorText(code === 'TOO_LONG' ? 'INVALID_VALUE' : code);
    const isTaken = savedViews.some((one) => one !== view && one.name === name.trim());
    if (isTaken) return t('list.savedViews.nameTaken');
    const isFull = !view && savedViews.length >= MAX_SAVED_VIEWS;
    return isFull ? t('list.savedViews.full', { count: MAX_SAVED_VIEWS }) : undefined;
  };
}

function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
}

function ViewForm({ view, onClose }: Omit<ViewPopoverProps, 'anchor'>) {
  const { t } = useTranslation();
  const id = useId();
  const { declaration } = useListDefinition();
  const { search } = useListSearch();
  const { views: savedViews } = useListPreferences();
  const { change, offerUndo } = useChangeListPreferences();
  const [name, setName] = useState(view?.name ?? '');
  const [isChecked, setChecked] = useState(false);
  const problem = useNameProblem(view)(name);
  const errorText = isChecked ? problem : undefined;

  const keep = (views: SavedView[], done: string) => {
    change({ views });
    onClose();
    offerUndo(done, { views: savedViews });
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (problem) return;
    const saved = { name: name.trim(), search: view?.search ?? viewOf(declaration, search) };
    const views = view
      ? savedViews.map((one) => (one === view ? saved : one))
      : [...savedViews, saved];
    keep(views, t('saved', { name: saved.name }));
  };
  return (
    <form onSubmit={save} noValidate>
      <FieldFrame
        id={id}
        helpId={`${id}-help`}
        label={t('field.nameOfThing')}
        errorText={errorText}
        required
      >
        <InputBox isInvalid={errorText !== undefined}>
          <input
            id={id}
            ref={takeFocus}
            dir="auto"
            value={name}
            maxLength={40}
            autoComplete="off"
            aria-required
            aria-invalid={errorText ? true : undefined}
            aria-describedby={errorText ? `${id}-help` : undefined}
            onChange={({ target }) => setName(target.value)}
          />
        </InputBox>
      </FieldFrame>
      <div className="flex flex-wrap items-stretch gap-2 mt-4 [&>:last-child:not(:nth-child(2))]:ms-auto">
        <Button type="submit" variant="solid">
          {view ? t('action.rename') : t('list.savedViews.saveAs')}
        </Button>
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        {view && (
          <Button
            tone="danger"
            variant="text"
            onClick={() =>
              keep(
                savedViews.filter((one) => one !== view),
                t('deleted', { name: view.name }),
              )
            }
          >
            {t('list.savedViews.delete')}
          </Button>
        )}
      </div>
    </form>
  );
}

import { MAX_SAVED_VIEWS, type SavedView, viewName } from '@linekeeper/contract/preferences.ts';
import Popover from '@mui/material/Popover';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from '../../shared/forms/field-frame.tsx';
import formStyles from '../../shared/forms/forms.module.css';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { useChangePreferences, usePreferences } from '../../shared/preferences.ts';
import { Button } from '../../shared/ui/button.tsx';
import { viewOf } from './search.ts';
import { useLinesSearch } from './use-lines-search.ts';
import styles from './view-popover.module.css';

interface ViewPopoverProps {
  /** The saved view that is shown; without one, what is shown is saved. */
  view: SavedView | undefined;
  anchor: HTMLElement;
  onClose: () => void;
}

export function ViewPopover({ view, anchor, onClose }: ViewPopoverProps) {
  const { t } = useTranslation('lines');
  const titleId = useId();
  return (
    <Popover
      open
      onClose={onClose}
      anchorEl={anchor}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      disableRestoreFocus
      slotProps={{ paper: { role: 'dialog', 'aria-labelledby': titleId, sx: { mt: 1 } } }}
    >
      <div className={styles.panel}>
        <h2 id={titleId}>
          {view ? t('savedViews.edit', { name: view.name }) : t('savedViews.save')}
        </h2>
        <ViewForm view={view} onClose={onClose} />
      </div>
    </Popover>
  );
}

/** What is wrong with a name, as a sentence. */
function useNameProblem(view: SavedView | undefined) {
  const { t } = useTranslation('lines');
  const errorText = useErrorText();
  const { saved_views } = usePreferences();
  return (name: string): string | undefined => {
    const code = viewName.safeParse(name).error?.issues[0]?.message;
    if (code) return errorText(code === 'TOO_LONG' ? 'INVALID_VALUE' : code);
    const isTaken = saved_views.some((one) => one !== view && one.name === name.trim());
    if (isTaken) return t('savedViews.nameTaken');
    const isFull = !view && saved_views.length >= MAX_SAVED_VIEWS;
    return isFull ? t('savedViews.full', { count: MAX_SAVED_VIEWS }) : undefined;
  };
}

function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
}

function ViewForm({ view, onClose }: Omit<ViewPopoverProps, 'anchor'>) {
  const { t } = useTranslation('lines');
  const { t: common } = useTranslation();
  const id = useId();
  const { search } = useLinesSearch();
  const { saved_views } = usePreferences();
  const { change, offerUndo } = useChangePreferences();
  const [name, setName] = useState(view?.name ?? '');
  const [isChecked, setChecked] = useState(false);
  const problem = useNameProblem(view)(name);
  const errorText = isChecked ? problem : undefined;

  const keep = (views: SavedView[], done: string) => {
    change({ saved_views: views });
    onClose();
    offerUndo(done, { saved_views });
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (problem) return;
    const saved = { name: name.trim(), search: view?.search ?? viewOf(search) };
    const views = view
      ? saved_views.map((one) => (one === view ? saved : one))
      : [...saved_views, saved];
    keep(views, t('savedViews.saved', { name: saved.name }));
  };
  return (
    <form onSubmit={save} noValidate>
      <FieldFrame
        id={id}
        helpId={`${id}-help`}
        label={t('savedViews.name')}
        errorText={errorText}
        required
      >
        <div className={formStyles.box} data-invalid={errorText ? true : undefined}>
          <input
            id={id}
            ref={takeFocus}
            value={name}
            maxLength={40}
            autoComplete="off"
            aria-required
            aria-invalid={errorText ? true : undefined}
            aria-describedby={errorText ? `${id}-help` : undefined}
            onChange={({ target }) => setName(target.value)}
          />
        </div>
      </FieldFrame>
      <div className={styles.actions}>
        <Button type="submit" variant="solid">
          {view ? t('savedViews.rename') : t('savedViews.saveAs')}
        </Button>
        <Button onClick={onClose}>{common('action.cancel')}</Button>
        {view && (
          <Button
            tone="danger"
            variant="text"
            onClick={() =>
              keep(
                saved_views.filter((one) => one !== view),
                t('savedViews.deleted', { name: view.name }),
              )
            }
          >
            {t('savedViews.delete')}
          </Button>
        )}
      </div>
    </form>
  );
}

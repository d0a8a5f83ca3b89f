import { Combobox } from '@base-ui/react/combobox';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InputBox } from '#kit/forms/fields/input-box.tsx';
import { layerClass, positionOf } from '#kit/overlays/overlays.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useDebounced } from '#platform/browser/use-delayed.ts';

const TYPING_PAUSE_MS = 250;

/** An item that the search of a picker found. */
export interface Found {
  id: string;
  label: string;
  /** Text beside the label. */
  about?: string | undefined;
}

export interface SearchAutocompleteProps {
  id: string;
  value: Found | null;
  onChange: (found: Found | null) => void;
  onBlur?: (() => void) | undefined;
  /** Searches on the panel; an empty text finds the first items. */
  useFound: (q: string) => { data?: Found[] | undefined; isFetching: boolean };
  /** The text that is shown if the search finds nothing. */
  nothing: string;
  placeholder?: string | undefined;
  /** True to take the focus on mount. */
  autoFocus: boolean;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
}

/** An input that searches on the server while its text is typed, because there may be too many items for a list. */
export function SearchAutocomplete(props: SearchAutocompleteProps) {
  const { id, value, onChange, onBlur, useFound, nothing, placeholder, autoFocus } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value?.label ?? '');
  const paused = useDebounced(typed, TYPING_PAUSE_MS);
  // The label of the present choice is not a search text, so the list opens with the first items.
  const { data: found = [], isFetching } = useFound(paused === value?.label ? '' : paused.trim());
  const box = useRef<HTMLDivElement>(null);
  return (
    <Combobox.Root<Found>
      items={found}
      filter={null}
      value={value}
      inputValue={typed}
      // Escape closes the list, or the dialog around the field, but must not empty the field.
      onInputValueChange={(text, change) => {
        if (change.reason !== 'escape-key') setTyped(text);
      }}
      onValueChange={(chosen, change) => {
        if (change.reason !== 'escape-key') onChange(chosen);
        else change.allowPropagation();
      }}
      itemToStringLabel={({ label }) => label}
      isItemEqualToValue={(one, other) => one.id === other.id}
    >
      <InputBox ref={box} isInvalid={props['aria-invalid']}>
        <Combobox.Input
          id={id}
          aria-describedby={props['aria-describedby']}
          aria-invalid={props['aria-invalid']}
          dir="auto"
          // The input takes over the focus of the plain field that it replaces.
          autoFocus={autoFocus}
          placeholder={placeholder}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onBlur={onBlur}
        />
      </InputBox>
      <Combobox.Portal className={layerClass}>
        <Combobox.Positioner
          anchor={box}
          {...positionOf({ gap: 4 })}
          alignOffset={1}
          collisionAvoidance={{ side: 'flip', align: 'shift', fallbackAxisSide: 'none' }}
        >
          <Combobox.Popup className="w-[calc(var(--anchor-width)-2px)] overflow-hidden border border-divider rounded-pop bg-paper shadow-pop">
            <Combobox.Empty>
              {found.length === 0 && (
                <p className="py-3.5 px-4 text-text-2">{isFetching ? t('loading') : nothing}</p>
              )}
            </Combobox.Empty>
            <Combobox.List className="max-h-66 p-2 overflow-auto empty:hidden">
              {(one: Found) => (
                <Combobox.Item
                  key={one.id}
                  value={one}
                  className="flex flex-wrap items-center gap-x-2 min-h-(--press) py-1 px-3 rounded-nav wrap-anywhere cursor-pointer aria-selected:bg-[rgba(11,99,214,0.08)] aria-selected:font-semibold data-highlighted:bg-head"
                >
                  <span>
                    <TypedText>{one.label}</TypedText>
                  </span>
                  {one.about && (
                    <small>
                      <TypedText>{one.about}</TypedText>
                    </small>
                  )}
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

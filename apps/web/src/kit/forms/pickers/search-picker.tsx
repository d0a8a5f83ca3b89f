import { useState } from 'react';
import { InputBox } from '#kit/forms/fields/input-box.tsx';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import type { SearchAutocompleteProps } from './search-autocomplete.tsx';

export type { Found } from './search-autocomplete.tsx';

/** The number of items that a picker offers. Further ones are found by typing more of their name. */
export const OFFERED = 20;

interface LateProps extends SearchAutocompleteProps {
  /** True to load the search only when pointer or focus come near, for a page with many fields. */
  isLate?: boolean | undefined;
  /** Called when the plain field, which replaces the search until it is loaded, gets or loses the focus. */
  onFocus: (isFocused: boolean) => void;
}

/** The search is loaded after the page around it, because its library is as large as a page. */
const LateAutocomplete = lazyPart(() => import('./search-autocomplete.tsx'), 'SearchAutocomplete', {
  before: ({ id, value, placeholder, onFocus, ...props }: LateProps) => (
    <InputBox isInvalid={props['aria-invalid']}>
      <input
        id={id}
        role="combobox"
        aria-expanded={false}
        aria-invalid={props['aria-invalid']}
        readOnly
        dir="auto"
        value={value?.label ?? ''}
        placeholder={placeholder}
        aria-describedby={props['aria-describedby']}
        onPointerEnter={LateAutocomplete.fetch}
        onFocus={() => {
          LateAutocomplete.fetch();
          onFocus(true);
        }}
        onBlur={() => onFocus(false)}
      />
    </InputBox>
  ),
  isPart: true,
  isOpen: ({ isLate }: LateProps) => !isLate,
});

type SearchPickerProps = Omit<LateProps, 'autoFocus' | 'onFocus'>;

/** The props that pickers of accounts and of lines share. */
export type PickerProps = Omit<SearchPickerProps, 'value' | 'onChange' | 'useFound' | 'nothing'>;

/**
 * A field in which one record is chosen by typing a part of its name. `useFound` makes the search,
 * for example of accounts. Until the code of the search is loaded, a plain input takes its place.
 */
export function SearchPicker(props: SearchPickerProps) {
  const [isFocused, setFocused] = useState(false);
  return <LateAutocomplete {...props} autoFocus={isFocused} onFocus={setFocused} />;
}

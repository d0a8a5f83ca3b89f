import type { newLine } from '@linekeeper/contract/lines/lines.ts';
import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { useWatch } from 'react-hook-form';
import type * as z from 'zod';
import { FieldFrame } from '../../../shared/forms/fields/field-frame.tsx';
import { OptionText } from '../../../shared/forms/fields/option-text.tsx';
import type { SelectInputProps } from '../../../shared/forms/fields/select-input.tsx';
import styles from '../../../shared/forms/forms.module.css';
import { lazyComponent } from '../../../shared/ui/lazy-component.tsx';

type SelectProps = SelectInputProps<z.input<typeof newLine>, z.output<typeof newLine>>;

/** Looks like the closed select while that is being fetched with its library. */
function ClosedSelect({ control, name, label, options, hint, problem }: SelectProps) {
  const id = useId();
  const chosen = useWatch({ control, name });
  const option = options.find(({ value }) => value === chosen);
  return (
    <FieldFrame id={id} label={label} hint={hint} errorText={problem}>
      <div className={styles.selectBox} data-closed>
        {option && <OptionText option={option} />}
        <ChevronDown aria-hidden="true" size={18} />
      </div>
    </FieldFrame>
  );
}

export const ServerSelect = lazyComponent<SelectProps>(
  async () => (await import('../../../shared/forms/fields/select-input.tsx')).SelectInput,
  { before: (props) => <ClosedSelect {...props} />, isPart: true },
);

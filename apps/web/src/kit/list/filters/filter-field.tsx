import type { ReactNode } from 'react';

const FIELD = 'mt-3 [&>button]:-ms-2';
const TITLE = 'block mb-1 text-text-2 type-[600_12px/18px_var(--font)]';

interface FilterFieldProps {
  title: string;
  /** Id of the control that `title` names; undefined if it names a group of controls. */
  htmlFor?: string;
  /** True if the values above the control already show the title. */
  isTitled?: boolean;
  children: ReactNode;
}

/** A filter with its title. */
export function FilterField({ title, htmlFor, isTitled, children }: FilterFieldProps) {
  if (htmlFor === undefined) {
    return (
      <fieldset className={FIELD}>
        <legend className={TITLE}>{title}</legend>
        {children}
      </fieldset>
    );
  }
  return (
    <div className={FIELD}>
      <label className={isTitled ? 'visually-hidden' : TITLE} htmlFor={htmlFor}>
        {title}
      </label>
      {children}
    </div>
  );
}

/** Empty space as high as the input of a filter, shown until the input's code is loaded. */
export const FilterFieldRoom = () => <div className="h-(--entry)" />;

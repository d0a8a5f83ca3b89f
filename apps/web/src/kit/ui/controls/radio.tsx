import type { ComponentProps } from 'react';

/** A radio button as the design draws it. */
export function Radio(props: ComponentProps<'input'>) {
  return (
    <input
      {...props}
      type="radio"
      className="flex-none w-5 h-5 border-2 border-icon-quiet rounded-[50%] [outline:0] bg-paper appearance-none [cursor:inherit] checked:border-6 checked:border-primary"
    />
  );
}

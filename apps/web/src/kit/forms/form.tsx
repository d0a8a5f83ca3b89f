import type { LinkProps } from '@tanstack/react-router';
import type { KeyboardEvent, ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '#kit/page/page-header.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import type { FormErrorSummaryProps } from './form-error-summary.tsx';
import { FormProblems } from './form-problems.tsx';
import { SubmitButton } from './submit-button.tsx';
import type { Submission } from './use-submit.ts';

interface FormProps {
  submission: Pick<Submission, 'submit'>;
  /** Accessible name, if no heading names the form. */
  label?: string | undefined;
  className?: string | undefined;
  /** Lets a button outside of the form submit it. */
  id?: string;
  onKeyDown?: ((event: KeyboardEvent<HTMLFormElement>) => void) | undefined;
  /** True for a form without a column, inside a component with its own spacing. */
  isPlain?: boolean;
  children: ReactNode;
}

/** The look of the column. A focused field is never hidden below the sticky buttons. */
const COLUMN = 'grid grid-cols-1 gap-6 min-w-0 [&:has(>[data-sticky])]:[--covered-bottom:88px]';

/**
 * The look of the sticky buttons. They cover the card's padding, too, so that no part of the form
 * shows beside them; on a phone the first button takes the free width.
 */
const STICKY =
  'sticky bottom-0 z-2 -mx-6 -mb-6 py-4 px-6 border-t border-t-divider rounded-b-card bg-paper *:[--covered-bottom:0px] phone:-mx-4 phone:-mb-4 phone:py-3 phone:px-4 phone:*:flex-auto phone:[&>[type=submit]]:grow-999 low:static';

/** The form element with its parts in a column. */
export function Form({ submission, label, className, isPlain, children, ...given }: FormProps) {
  return (
    <form
      {...given}
      className={className ?? (isPlain ? undefined : COLUMN)}
      noValidate
      aria-label={label}
      onSubmit={(event) => void submission.submit(event)}
    >
      {children}
    </form>
  );
}

interface FormCardProps extends Pick<FormProps, 'label' | 'children' | 'id' | 'onKeyDown'> {
  submission: Submission;
  title?: string;
  /** Advice for an error that concerns the form as a whole. */
  advice?: FormErrorSummaryProps<FieldValues, FieldValues>['advice'];
  /** Content above the fields instead of the errors of the form. */
  problems?: ReactNode;
  /** Label of the button; undefined if the form has its own buttons. */
  submitLabel?: string;
  /** The page to which "Cancel" leads. */
  cancelTo?: LinkProps['to'];
}

/** A form in a card, limited to a readable width. */
export function FormCard({ title, submitLabel, cancelTo, ...props }: FormCardProps) {
  const { t } = useTranslation();
  const { submission, label = title ? undefined : submitLabel, id, onKeyDown, children } = props;
  const { problems = <FormProblems form={submission.form} advice={props.advice} /> } = props;
  return (
    <Card as={title ? 'section' : 'div'} title={title} className="form-width">
      <Form submission={submission} label={label} onKeyDown={onKeyDown} {...(id && { id })}>
        {problems}
        {children}
        {submitLabel && (
          <FormActions>
            <SubmitButton pending={submission.isPending}>{submitLabel}</SubmitButton>
            {cancelTo && <ButtonLink to={cancelTo}>{t('action.cancel')}</ButtonLink>}
          </FormActions>
        )}
      </Form>
    </Card>
  );
}

/** A page that contains one form. */
export function FormPage(form: FormCardProps) {
  return (
    <>
      <PageHeader />
      <FormCard {...form} />
    </>
  );
}

interface FormActionsProps {
  /** True if the buttons stay visible at the bottom of the window, for a long form. */
  isSticky?: boolean;
  children: ReactNode;
}

export function FormActions({ isSticky, children }: FormActionsProps) {
  return (
    <div
      className={`flex flex-wrap gap-2 ${isSticky ? STICKY : 'phone:flex-col'}`}
      data-sticky={isSticky || undefined}
      data-foot-bar={isSticky || undefined}
    >
      {children}
    </div>
  );
}

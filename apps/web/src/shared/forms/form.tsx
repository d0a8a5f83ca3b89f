import type { ReactNode } from 'react';
import { Card } from '../ui/card.tsx';
import { Row } from '../ui/vocabulary.tsx';
import styles from './form-frame.module.css';
import type { Submission } from './use-submit.ts';

interface FormProps {
  submission: Pick<Submission, 'submit'>;
  /** Accessible name, if no heading names the form. */
  label?: string | undefined;
  className?: string | undefined;
  /** Without a column, for a form inside of what has its own spaces. */
  isPlain?: boolean;
  children: ReactNode;
}

/** The form element with its parts in a column. */
export function Form({ submission, label, className, isPlain, children }: FormProps) {
  return (
    <form
      className={className ?? (isPlain ? undefined : styles.form)}
      noValidate
      aria-label={label}
      onSubmit={(event) => void submission.submit(event)}
    >
      {children}
    </form>
  );
}

interface FormCardProps extends Omit<FormProps, 'className'> {
  title?: string;
}

/** A form in a card, limited to a readable width. */
export function FormCard({ title, ...form }: FormCardProps) {
  return (
    <Card as={title ? 'section' : 'div'} title={title} className="form-width">
      <Form {...form} />
    </Card>
  );
}

interface FormActionsProps {
  /** Sticky at the bottom of a long form. */
  isSticky?: boolean;
  children: ReactNode;
}

export function FormActions({ isSticky, children }: FormActionsProps) {
  return (
    <Row
      align="stretch"
      gap={8}
      wrap
      className={styles.actions}
      data-sticky={isSticky || undefined}
    >
      {children}
    </Row>
  );
}

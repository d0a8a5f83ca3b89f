import { type Problem, requestProblem } from '@linekeeper/contract/problems.ts';
import { createServer } from '@linekeeper/contract/servers.ts';
import { type FieldErrors, useFormState } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FormErrorSummary } from '../../shared/forms/form-error-summary.tsx';
import { useCodeText } from '../../shared/i18n/use-error-text.ts';
import { Banner } from '../../shared/ui/banner.tsx';
import styles from './server-form.module.css';
import { addServerForm, type ServerFormOf, type ServerValues } from './server-form-schemas.ts';

const fieldNames = Object.keys(addServerForm.shape) as (keyof ServerValues)[];

/** What the panel would say about the request as a whole, in the contract's order of fields. */
function problemOfForm(errors: FieldErrors<ServerValues>): Problem {
  const problems = fieldNames.flatMap((name): [string, Problem][] => {
    const code = errors[name]?.type as Problem['code'] | undefined;
    return code ? [[name, { code, data: {} }]] : [];
  });
  return requestProblem(new Map(problems), createServer.missingFieldsCode);
}

/** Names the missing fields in one sentence; anything else is told as in every form. */
export function ServerFormSummary({ form }: { form: ServerFormOf }) {
  const { t } = useTranslation('servers');
  const codeText = useCodeText();
  const { errors, submitCount } = useFormState({ control: form.control });
  const { code, data } = problemOfForm(errors);
  if (errors.root || submitCount === 0 || code !== 'MISSING_REQUIRED_FIELDS') {
    return <FormErrorSummary form={form} />;
  }
  return (
    <Banner tone="error" title={codeText(code, data)} isAlert>
      <ul className={styles.missing}>
        {fieldNames
          .filter((name) => errors[name])
          .map((name) => (
            <li key={name}>
              <button type="button" onClick={() => form.setFocus(name)}>
                {t(`form.${name}`)}
              </button>
            </li>
          ))}
      </ul>
    </Banner>
  );
}

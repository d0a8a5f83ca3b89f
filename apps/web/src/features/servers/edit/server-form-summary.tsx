import { type Problem, requestProblem } from '@linekeeper/contract/problems.ts';
import { createServer } from '@linekeeper/contract/servers/servers.ts';
import { type FieldErrors, useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FormErrorSummary } from '#kit/forms/form-error-summary.tsx';
import { ProblemsPlace } from '#kit/forms/form-problems.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { useCodeText } from '#platform/i18n/use-error-text.ts';
import {
  addServerForm,
  fieldTexts,
  type ServerFormOf,
  type ServerValues,
} from './server-form-schemas.ts';

/** Other names of fields for OSCam's web interface. */
const webifLabels = {
  host_ip: 'webif.host_ip',
  api_port: 'field.port',
} as const;

function useLabelOf({ control }: ServerFormOf) {
  const { t } = useTranslation('servers');
  const kind = useWatch({ control, name: 'kind' });
  return (name: keyof ServerValues): string =>
    kind === 'oscam_webif' && name in webifLabels
      ? t(webifLabels[name as keyof typeof webifLabels])
      : t(fieldTexts[name]);
}

const fieldNames = Object.keys(addServerForm.shape) as (keyof ServerValues)[];

/** The message the panel would give for the whole request, with fields in the contract's order. */
function problemOfForm(errors: FieldErrors<ServerValues>): Problem {
  const problems = fieldNames.flatMap((name): [string, Problem][] => {
    const code = errors[name]?.type as Problem['code'] | undefined;
    return code ? [[name, { code, data: {} }]] : [];
  });
  return requestProblem(new Map(problems), createServer.missingFieldsCode);
}

/** Lists missing fields by label in one sentence; other problems use the general form summary. */
export function ServerFormSummary({ form }: { form: ServerFormOf }) {
  const { errors, submitCount } = useFormState({ control: form.control });
  const { code } = problemOfForm(errors);
  const isMissing = !errors.root && submitCount > 0 && code === 'MISSING_REQUIRED_FIELDS';
  return (
    <ProblemsPlace form={form}>
      {isMissing ? <MissingFields form={form} errors={errors} /> : <FormErrorSummary form={form} />}
    </ProblemsPlace>
  );
}

interface MissingFieldsProps {
  form: ServerFormOf;
  errors: FieldErrors<ServerValues>;
}

function MissingFields({ form, errors }: MissingFieldsProps) {
  const labelOf = useLabelOf(form);
  const codeText = useCodeText();
  const missing = fieldNames.filter((name) => errors[name]?.type === 'REQUIRED');
  const fields = missing.map(labelOf).join(', ');
  return (
    <Banner tone="error" title={codeText('MISSING_REQUIRED_FIELDS', { fields })} isAlert>
      <ul className="flex flex-wrap gap-y-0 gap-x-4 [&_button]:underline [&_button]:phone:min-h-11">
        {fieldNames
          .filter((name) => errors[name])
          .map((name) => (
            <li key={name}>
              <button type="button" onClick={() => form.setFocus(name)}>
                {labelOf(name)}
              </button>
            </li>
          ))}
      </ul>
    </Banner>
  );
}

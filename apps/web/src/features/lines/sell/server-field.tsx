import { useTranslation } from 'react-i18next';
import { SelectInput } from '../../../shared/forms/fields/select-input.tsx';
import { serverOption } from '../../../shared/forms/pickers/server-option.ts';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import type { NewLineForm } from './add-line-types.ts';
import type { ServerChoice } from './use-server-choice.ts';

interface ServerFieldProps {
  control: NewLineForm['control'];
  choice: ServerChoice;
}

const whyGone = {
  error: 'add.serverInError',
  inactive: 'add.serverInactive',
  closed: 'add.serverClosed',
  full: 'add.serverFull',
  // It takes lines again.
  active: 'add.newestActive',
} as const;

/** Offers only servers that take new lines, newest first. */
export function ServerField({ control, choice }: ServerFieldProps) {
  const { t } = useTranslation('lines');
  const errorText = useErrorText();
  const { active, gone, isReplaced, isNone, isAnyActive } = choice;
  if (isNone) {
    return (
      <Banner
        tone="warning"
        title={errorText(isAnyActive ? 'NO_SERVER_TAKES_LINES' : 'NO_ACTIVE_SERVERS')}
      >
        {t('add.noServersHelp')}
      </Banner>
    );
  }
  const options = active.map((server, index) => ({
    ...serverOption(server),
    ...(index === 0 && { description: t('add.newestActive') }),
  }));
  if (gone?.server) {
    const { status, takes_no_lines } = gone.server;
    options.push({
      ...serverOption(gone.server),
      description: t(whyGone[(status === 'active' && takes_no_lines) || status]),
      disabled: true,
    });
  }
  return (
    <SelectInput
      control={control}
      name="server_id"
      label={t('columns.server')}
      options={options}
      hint={isReplaced && t('add.serverReplaced')}
      problem={gone && t('add.serverGone')}
    />
  );
}

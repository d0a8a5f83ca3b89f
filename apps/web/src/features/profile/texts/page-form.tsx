import {
  editSellerTexts,
  pageChanges,
  type SellerPage,
} from '@linekeeper/contract/accounts/seller-texts.ts';
import { languages } from '@linekeeper/contract/languages.ts';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { Form, FormActions } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Segments } from '#kit/ui/controls/segments.tsx';
import { SwitchRow } from '#kit/ui/controls/switch-row.tsx';
import { useMe } from '#platform/data/session.ts';
import { languageNames, languageOr } from '#platform/i18n/languages.ts';

/** The form of the seller's part of customers' pages. */
export function PageForm({ stored }: { stored: SellerPage }) {
  const { t, i18n } = useTranslation('texts');
  const { full_name } = useMe();
  const [language, setLanguage] = useState(languageOr(i18n.language));
  const { form, field, submission } = useCommandForm(editSellerTexts, {
    schema: pageChanges,
    defaultValues: stored,
    refreshes: ['seller-texts'],
    bodyOf: (page) => ({ page }),
    done: ({ page }, _, { reset }) => reset(page),
    doneText: () => t('page.saved'),
  });
  const shown = useController({ control: form.control, name: 'shows_password' }).field;
  const textOf = { kind: t('page.words'), language: languageNames[language] };
  return (
    <div className="p-(--card-pad)">
      <Form submission={submission} label={t('recurring.customerPage')}>
        <FormProblems form={form} />
        <p className="text-text-2">{t('page.hint')}</p>
        <TextInput {...field('name')} label={t('page.name')} placeholder={full_name} isNullable />
        <div className="grid grid-cols-1 gap-3 [&>[role=radiogroup]]:flex [&>[role=radiogroup]]:justify-self-stretch [&>[role=radiogroup]_label]:flex-1 [&>[role=radiogroup]_label]:justify-center [&>[role=radiogroup]_label]:min-h-10 [&>[role=radiogroup]_label]:px-1 [&>[role=radiogroup]_label]:text-[14px]">
          <Segments
            label={t('language')}
            value={language}
            options={languages.map((value) => ({ value, label: languageNames[value] }))}
            onChange={setLanguage}
          />
          <TextInput
            key={language}
            {...field(`words.${language}`)}
            label={t('of', textOf)}
            hint={t('page.wordsHint')}
            multiline
            rows={3}
            isNullable
          />
        </div>
        <TextInput {...field('phone')} label={t('field.phone')} type="tel" isNullable />
        <TextInput
          {...field('telegram')}
          label={t('page.telegram')}
          placeholder="@name"
          isNullable
        />
        <SwitchRow
          label={t('page.showsPassword')}
          hint={t('page.showsPasswordHint')}
          checked={shown.value ?? false}
          onChange={shown.onChange}
        />
        <FormActions>
          <SubmitButton pending={submission.isPending}>{t('action.save')}</SubmitButton>
          <ButtonLink to="/profile/edit">{t('action.cancel')}</ButtonLink>
        </FormActions>
      </Form>
    </div>
  );
}

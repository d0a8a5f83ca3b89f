import { createArticle, MAX_ARTICLE_TITLE } from '@linekeeper/contract/articles.ts';
import { languages } from '@linekeeper/contract/languages.ts';
import { articleCategories } from '@linekeeper/contract/lists/article-categories.ts';
import type { ReactNode } from 'react';
import { type UseFormReturn, useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import hintStyles from '#features/articles/articles.module.css';
import { MarkdownInput } from '#kit/forms/fields/markdown-input.tsx';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { Form, FormActions } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import type { Submission } from '#kit/forms/use-submit.ts';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { SwitchRow } from '#kit/ui/controls/switch-row.tsx';
import { languageNames } from '#platform/i18n/languages.ts';

export const articleForm = createArticle.body;
export type ArticleValues = z.input<typeof articleForm>;
type ArticleFormOf = UseFormReturn<ArticleValues, unknown, z.output<typeof articleForm>>;

interface ArticleFormProps {
  form: ArticleFormOf;
  submission: Submission;
  label: string;
  submitLabel: string;
  /** A translation has category and place of its original. */
  isTranslation: boolean;
  /** The link that leaves the form without saving. */
  back: ReactNode;
  /** Content at the end of the row of buttons. */
  end?: ReactNode;
}

/** Title, place and text of an article, with a preview beside the text or, on a phone, instead of it. */
export function ArticleForm(props: ArticleFormProps) {
  const { form, submission, label, submitLabel, isTranslation } = props;
  const { t } = useTranslation('articles');
  const { control } = form;
  return (
    <Card as="div" className={hintStyles.hints}>
      <Form submission={submission} label={label}>
        <FormProblems form={form} />
        <TextInput
          control={control}
          name="title"
          label={t('field.title')}
          autoComplete="off"
          maxLength={MAX_ARTICLE_TITLE}
          required
        />
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,240px),1fr))] gap-4">
          {!isTranslation && (
            <SelectInput
              control={control}
              name="category"
              label={t('field.category')}
              options={articleCategories.map((value) => ({
                value,
                label: t(`categories.${value}`),
              }))}
              required
            />
          )}
          <SelectInput
            control={control}
            name="locale"
            label={t('language')}
            options={languages.map((value) => ({ value, label: languageNames[value] }))}
            hint={isTranslation ? t('form.categoryOfOriginal') : undefined}
            required
          />
        </div>
        <MarkdownInput
          control={control}
          name="body"
          label={t('form.body')}
          hint={t('form.bodyHint')}
          rows={20}
          hasTools
          hasSidePreview
          required
        />
        <PublishedSwitch form={form} />
        <FormActions>
          <SubmitButton pending={submission.isPending}>{submitLabel}</SubmitButton>
          {props.back}
          {props.end}
        </FormActions>
      </Form>
    </Card>
  );
}

function PublishedSwitch({ form: { control } }: { form: ArticleFormOf }) {
  const { t } = useTranslation('articles');
  const { field } = useController({ control, name: 'is_published' });
  return (
    <SwitchRow
      label={t('field.is_published')}
      hint={t('form.publishedHint')}
      checked={field.value ?? false}
      onChange={field.onChange}
    />
  );
}

export function CancelLink({ id }: { id?: string | undefined }) {
  const { t } = useTranslation();
  if (!id) return <ButtonLink to="/support/knowledge-base">{t('action.cancel')}</ButtonLink>;
  return (
    <ButtonLink to="/support/knowledge-base/$id" params={{ id }}>
      {t('action.cancel')}
    </ButtonLink>
  );
}

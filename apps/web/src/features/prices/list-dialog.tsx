import { price } from '@linekeeper/contract/credits/plans.ts';
import {
  createPriceList,
  editPriceList,
  type PriceList,
} from '@linekeeper/contract/credits/price-lists.ts';
import { useQuery } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { allPricesQuery, type Prices } from '#domain/prices/prices.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useContractForm } from '#kit/forms/use-contract-form.ts';
import { useSubmit } from '#kit/forms/use-submit.ts';
import { Segments } from '#kit/ui/controls/segments.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { ApiError } from '#platform/api/client.ts';
import { useMe } from '#platform/data/session.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { isSame, usePlanNames } from './plan-prices.ts';

const { name, factor } = createPriceList.body.shape;

/** A factor as it is typed: 0.9 or 0,9. */
const typedFactor = z
  .string()
  .trim()
  .min(1, { error: 'REQUIRED' })
  .transform((text) => Number(text.replace(',', '.')))
  .pipe(factor.unwrap());

/** The typed price; null for a term with the price that the owner of the list pays. */
const enteredPrices = z
  .array(z.object({ plan_id: z.string(), months: z.number(), credits: price.nullable() }))
  .superRefine((rows, check) => {
    if (rows.some(({ credits }) => credits !== null)) return;
    check.addIssue({ code: 'custom', path: [0, 'credits'], message: 'REQUIRED' });
  });

const listForm = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('factor'), name, factor: typedFactor }),
  z.object({ kind: z.literal('terms'), name, prices: enteredPrices }),
]);
type Entered = z.input<typeof listForm>;
type ListForm = UseFormReturn<Entered, unknown, z.output<typeof listForm>>;

const bodyOf = (list: z.output<typeof listForm>) =>
  list.kind === 'factor'
    ? { name: list.name, factor: list.factor }
    : {
        name: list.name,
        terms: list.prices.flatMap(({ credits, ...term }) =>
          credits === null ? [] : { ...term, credits },
        ),
      };

/** Marks the fields of refused prices. The panel counts only entered prices, so its indexes are mapped to rows. */
function markRefused(form: ListForm, error: unknown): void {
  if (!(error instanceof ApiError)) return;
  const sent = (form.getValues('prices') ?? []).flatMap(({ credits }, index) =>
    credits === null ? [] : index,
  );
  for (const [field, code] of Object.entries(error.data.field_codes ?? {})) {
    const row = sent[Number(/^terms\.(\d+)\.credits$/.exec(field)?.[1])];
    if (row === undefined) continue;
    form.clearErrors('root');
    form.setError(
      `prices.${row}.credits`,
      { type: code, message: code, ...{ data: error.data } },
      { shouldFocus: true },
    );
  }
}

interface ListDialogProps {
  /** The list to edit; undefined to add one. */
  list?: PriceList;
  onClose: () => void;
}

/**
 * The dialog for a price list. It opens once the reader's own prices are known, because a new list begins with them.
 */
export function ListDialog(props: ListDialogProps) {
  const { data } = useQuery(allPricesQuery());
  return data && <ListFormDialog {...props} own={data} />;
}

function ListFormDialog({ list, own, onClose }: ListDialogProps & { own: Prices }) {
  const { t, i18n } = useTranslation('prices');
  const factorNow = list?.factor ?? null;
  const form: ListForm = useContractForm({
    schema: listForm,
    defaultValues: {
      kind: list && factorNow === null ? 'terms' : 'factor',
      name: list?.name ?? '',
      factor: factorNow === null ? '' : formatNumber(factorNow, i18n.language),
      prices: rowsOf(own, list),
    },
  });
  const submission = useSubmit({
    form,
    command: useCommand(list ? editPriceList : createPriceList, {
      params: { id: list?.id ?? '' },
      refreshes: ['credits'],
      doneText: ({ price_list }) => t('saved', { name: price_list.name }),
    }),
    bodyOf,
    refused: (error) => markRefused(form, error),
    done: onClose,
  });
  const { control, setValue } = form;
  const kind = form.watch('kind');
  const kinds = (['factor', 'terms'] as const).map((value) => ({
    value,
    label: t(`lists.${value}.name`),
  }));
  return (
    <FormDialog
      submission={submission}
      title={list ? t('editOf', { name: list.name }) : t('lists.add')}
      submitLabel={list ? t('action.save') : t('lists.add')}
      onClose={onClose}
    >
      <TextInput
        control={control}
        name="name"
        label={t('field.nameOfThing')}
        autoComplete="off"
        maxLength={100}
        autoFocus={!list}
        required
      />
      <Segments
        label={t('credits.prices')}
        value={kind}
        options={kinds}
        onChange={(value) => setValue('kind', value, { shouldDirty: true })}
      />
      {kind === 'factor' ? <FactorField form={form} /> : <PriceFields form={form} own={own} />}
    </FormDialog>
  );
}

/** The rows of the form: the terms on sale, and the terms of the list that are no longer on sale. */
function rowsOf(own: Prices, list: PriceList | undefined) {
  const named = list?.terms ?? [];
  const others = named.filter((term) => !own.some(isSame(term)));
  return [...own, ...others].map(({ plan_id, months }) => ({
    ...{ plan_id, months },
    credits: named.find(isSame({ plan_id, months }))?.credits ?? null,
  }));
}

function FactorField({ form: { control } }: { form: ListForm }) {
  const { t, i18n } = useTranslation('prices');
  const { is_admin } = useMe();
  const example = formatNumber(is_admin ? 0.9 : 1.2, i18n.language);
  return (
    <TextInput
      control={control}
      name="factor"
      label={t('lists.factor.name')}
      hint={t('lists.factorHint', { example })}
      autoComplete="off"
      maxLength={6}
      required
    />
  );
}

function PriceFields({ form, own }: { form: ListForm; own: Prices }) {
  const { t } = useTranslation('prices');
  const { is_admin } = useMe();
  const names = usePlanNames();
  const rows = form.watch('prices') ?? [];
  const plans = [...new Set(rows.map(({ plan_id }) => plan_id))];
  return (
    <>
      {plans.map((plan_id) => (
        <fieldset
          key={plan_id}
          className="grid grid-cols-3 gap-4 phone:grid-cols-2 [&_legend]:mb-2"
        >
          <legend>
            {plans.length > 1 ? (
              <TypedText>{names.get(plan_id) ?? ''}</TypedText>
            ) : (
              t('field.credits')
            )}
          </legend>
          {rows.map(
            (row, index) =>
              row.plan_id === plan_id && (
                <TextInput
                  key={row.months}
                  control={form.control}
                  name={`prices.${index}.credits`}
                  label={t('credits.months', { count: row.months })}
                  type="number"
                  placeholder={String(own.find(isSame(row))?.cost ?? '')}
                  autoComplete="off"
                  isNullable
                />
              ),
          )}
        </fieldset>
      ))}
      <p className="text-text-2 type-caption">
        {t(is_admin ? 'lists.emptyOfPanel' : 'lists.emptyOfSeller')}
      </p>
    </>
  );
}

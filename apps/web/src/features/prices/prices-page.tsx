import { useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormPlace } from '#kit/forms/use-unsaved-guard.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useMe } from '#platform/data/session.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { ListsTab } from './lists-tab.tsx';
import { PricesHeader } from './prices-header.tsx';
import { PricesTab } from './prices-tab.tsx';

/** The place of a form: opening another tab or plan leaves it. */
const placeOf = ({ pathname, search }: { pathname: string; search: object }) =>
  `${pathname} ${JSON.stringify(search)}`;

const PlansTab = lazyPart(() => import('./plans/plans-tab.tsx'), 'PlansTab');

/**
 * The page about the prices of lines: plans and their prices, which only administrators change, and
 * price lists for accounts below.
 */
export function PricesPage() {
  const { is_admin } = useMe();
  const { tab } = useSearch({ from: '/shell/payments/plans' });
  const shown = is_admin ? tab : 'lists';
  return (
    <FormPlace value={placeOf}>
      {shown === 'plans' && <PlansTab />}
      {shown === 'lists' && (
        <>
          <PricesHeader tab="lists" actions={<AddListButton />} />
          <ListsTab />
        </>
      )}
      {shown === undefined && (
        <>
          <PricesHeader tab="prices" />
          <PricesTab />
        </>
      )}
    </FormPlace>
  );
}

const ListDialog = lazyPart(() => import('./list-dialog.tsx'), 'ListDialog');

function AddListButton() {
  const { t } = useTranslation('prices');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={<Plus />} onPointerEnter={ListDialog.fetch} onClick={() => setOpen(true)}>
        {t('lists.add')}
      </Button>
      {isOpen && <ListDialog onClose={() => setOpen(false)} />}
    </>
  );
}

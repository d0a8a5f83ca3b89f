import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../shared/ui/buttons/button.tsx';

/** As many rows at a time as a page shows at once. */
export const SHOWN_AT_ONCE = 200;

/** The first rows of a long file, and a button for more of them. */
export function useShownRows<Item>(items: readonly Item[]) {
  const { t } = useTranslation('bulk');
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const left = items.length - shown;
  const more = left > 0 && (
    <Button variant="text" size="small" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
      {t('import.showMore', { count: Math.min(left, SHOWN_AT_ONCE), total: items.length })}
    </Button>
  );
  return { rows: items.slice(0, shown), more };
}

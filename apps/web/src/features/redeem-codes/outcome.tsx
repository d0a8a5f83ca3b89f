import type { Redemption } from '@linekeeper/contract/credits/redeem-codes.ts';
import { Check, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '#kit/ui/badge.tsx';

export function Outcome({ status }: Pick<Redemption, 'status'>) {
  const { t } = useTranslation('redeem');
  const isDone = status === 'success';
  return (
    <Badge tone={isDone ? 'success' : 'error'} icon={isDone ? <Check /> : <X />}>
      {t(`status.${status}`)}
    </Badge>
  );
}

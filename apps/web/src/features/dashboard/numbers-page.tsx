import { PageHeader } from '#kit/page/page-header.tsx';
import { Stack } from '#kit/ui/vocabulary.tsx';
import { WithDashboard } from './dashboard-page.tsx';
import { SellerCards } from './figure-cards.tsx';
import { Tiles } from './tiles.tsx';

/** A seller's figures and charts. */
export function NumbersPage() {
  return (
    <>
      <PageHeader />
      <WithDashboard>
        {(dashboard) => (
          <Stack gap={24} phoneGap={16}>
            <Tiles dashboard={dashboard} />
            <SellerCards dashboard={dashboard} />
          </Stack>
        )}
      </WithDashboard>
    </>
  );
}

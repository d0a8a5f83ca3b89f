import { PageHeader } from '#kit/page/page-header.tsx';
import { Stack } from '#kit/ui/vocabulary.tsx';
import { WithDashboard } from './dashboard-page.tsx';
import { SellerCards } from './figure-cards.tsx';
import { Tiles } from './tiles.tsx';

/** Figures that a seller's home has below its lines, a page of its own on a phone. */
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

import { PageHeader } from '#kit/page/page-header.tsx';
import { BookFigures } from './book/book-figures.tsx';
import { WithDashboard } from './dashboard-page.tsx';
import { SellerCards } from './figure-cards.tsx';
import { Tiles } from './tiles.tsx';

/** The page with a seller's figures and charts. */
export function NumbersPage() {
  return (
    <>
      <PageHeader />
      <div className="mb-8 phone:mb-4">
        <BookFigures />
      </div>
      <WithDashboard>
        {(dashboard) => (
          <div className="grid grid-cols-1 gap-6 phone:gap-4">
            <Tiles dashboard={dashboard} />
            <SellerCards dashboard={dashboard} />
          </div>
        )}
      </WithDashboard>
    </>
  );
}

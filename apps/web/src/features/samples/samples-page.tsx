import { PageHeader } from '../../shared/layout/page-header.tsx';
import { useScreen } from '../../shared/layout/use-screen.ts';
import { Banner } from '../../shared/ui/states/banner.tsx';
import { SampleBlog } from './sample-blog.tsx';
import { SampleProducts } from './sample-products.tsx';
import { SampleUsers } from './sample-users.tsx';
import styles from './samples.module.css';
import { useSampleTexts } from './use-sample-texts.ts';

/** The template's demonstration pages. All that they show is made here and means nothing. */
export function SamplesPage() {
  const { path } = useScreen();
  const texts = useSampleTexts();
  return (
    <>
      <PageHeader />
      <div className={styles.notice}>
        <Banner tone="info" title={texts.notice}>
          <p>{texts.noticeText}</p>
        </Banner>
      </div>
      {path === '/user' && <SampleUsers />}
      {path === '/products' && <SampleProducts />}
      {path === '/blog' && <SampleBlog />}
    </>
  );
}

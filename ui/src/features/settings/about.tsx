import { useQuery } from '@tanstack/react-query';
import { Package } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '@/shared/api/client';
import { EmptyState } from '@/shared/ui/empty-state';
import { QueryList } from '@/shared/ui/query-list';
import { Rows, Section, Verbatim } from '@/shared/ui/section';
import { licensesQuery } from './queries';

/** The licence of Kawaraban, and those of the packages in it. */
export function About() {
  const { t } = useTranslation('settings');
  return (
    <QueryList query={useQuery(licensesQuery)} loading={6}>
      {({ license, rust, javascript }) => (
        <>
          <p className="mb-8 max-w-prose text-pretty text-ink-2">{t('about.text', { license })}</p>
          <Packages title={t('about.rust')} notices={rust} />
          <Packages title={t('about.javascript')} notices={javascript} />
        </>
      )}
    </QueryList>
  );
}

type Notices = Schema<'NoticesView'>;

function Packages({ title, notices }: { title: string; notices: Notices | null }) {
  const { t } = useTranslation('settings');
  const packages = notices?.packages ?? [];
  const count = packages.length;
  return (
    <Section level={3} title={title} text={count > 0 && t('about.count', { count })}>
      {count === 0 ? (
        <EmptyState icon={<Package aria-hidden />} title={t('about.noPages')} text={t('about.noPagesText')} isSmall />
      ) : (
        <Rows>
          {packages.map((one) => (
            <li key={`${one.name} ${one.version}`}>
              <PackageDetails one={one} texts={notices?.texts ?? []} />
            </li>
          ))}
        </Rows>
      )}
    </Section>
  );
}

/** A package. Its texts are rendered only while they are open: all of them are two megabytes. */
function PackageDetails({ one, texts }: { one: Schema<'PackageView'>; texts: string[] }) {
  const { t } = useTranslation('settings');
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer py-2.5 [overflow-wrap:anywhere] max-md:py-3">
        <span className="font-medium">{one.name}</span>{' '}
        <span className="tabular text-ink-3 text-sm">
          {one.version} · {one.license}
        </span>
      </summary>
      {isOpen && (
        <div className="pb-4">
          {one.repository && (
            <p className="mb-2 text-sm">
              <a
                href={one.repository}
                target="_blank"
                rel="noreferrer"
                className="inline-flex min-h-6 items-center text-link underline max-md:min-h-11"
              >
                {t('about.source')}
              </a>
            </p>
          )}
          {one.texts.map((place) => (
            <Verbatim key={place}>{texts[place]}</Verbatim>
          ))}
        </div>
      )}
    </details>
  );
}

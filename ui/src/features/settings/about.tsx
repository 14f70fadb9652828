import { useQuery } from '@tanstack/react-query';
import { Package } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '@/shared/api/client';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { SkeletonLines } from '@/shared/ui/skeleton';
import { Group, Rows } from './group';
import { licensesQuery } from './queries';

/** The licence of Kawaraban, and those of the packages in it. */
export function About() {
  const { t } = useTranslation('settings');
  const licenses = useQuery(licensesQuery);
  if (licenses.error && !licenses.data) {
    return <ErrorState error={licenses.error} onRetry={() => licenses.refetch()} isInline />;
  }
  if (!licenses.data) return <SkeletonLines lines={6} />;
  const { license, rust, javascript } = licenses.data;
  return (
    <>
      <p className="mb-8 max-w-prose text-pretty text-ink-2">{t('about.text', { license })}</p>
      <Packages title={t('about.rust')} notices={rust} />
      <Packages title={t('about.javascript')} notices={javascript} />
    </>
  );
}

type Notices = Schema<'NoticesView'>;

function Packages({ title, notices }: { title: string; notices: Notices | null }) {
  const { t } = useTranslation('settings');
  if (!notices || notices.packages.length === 0) {
    return (
      <Group title={title}>
        <EmptyState
          icon={<Package aria-hidden />}
          title={t('about.noPages')}
          text={t('about.noPagesText')}
          className="py-8"
        />
      </Group>
    );
  }
  return (
    <Group title={title} text={t('about.count', { count: notices.packages.length })}>
      <Rows>
        {notices.packages.map((one) => (
          <li key={`${one.name} ${one.version}`}>
            <PackageDetails one={one} texts={notices.texts} />
          </li>
        ))}
      </Rows>
    </Group>
  );
}

/** A package; its texts are in the page only while they are shown, because together they are two megabytes. */
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
            <p
              key={place}
              lang="en"
              className="mt-2 whitespace-pre-wrap rounded-md bg-sunken px-3 py-2 font-mono text-xs [overflow-wrap:anywhere]"
            >
              {texts[place]}
            </p>
          ))}
        </div>
      )}
    </details>
  );
}

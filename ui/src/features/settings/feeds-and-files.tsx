import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '@/shared/api/client';
import { apiUrl } from '@/shared/lib/api-url';
import { ImportProgress } from '@/shared/opml/import-progress';
import { importsQuery } from '@/shared/opml/imports';
import { OpmlImport } from '@/shared/opml/opml-import';
import { Button } from '@/shared/ui/button';
import { Dialog, DialogBody } from '@/shared/ui/dialog';
import { QueryRows } from '@/shared/ui/query-list';
import { Row, Section } from '@/shared/ui/section';
import { Time } from '@/shared/ui/time';

/** Import and export of subscriptions as OPML. */
export function FeedsAndFiles() {
  const { t } = useTranslation('settings');
  return (
    <>
      <Section level={3} title={t('opml.in')} text={t('opml.inText')}>
        <OpmlImport />
      </Section>
      <Section level={3} title={t('opml.out')} text={t('opml.outText')}>
        <Button asChild>
          <a href={apiUrl('/api/opml')} download>
            <Download aria-hidden className="size-4" />
            {t('opml.download')}
          </a>
        </Button>
      </Section>
      <Section level={3} title={t('opml.recent')}>
        <RecentImports />
      </Section>
    </>
  );
}

function RecentImports() {
  const { t } = useTranslation(['settings', 'common']);
  const [shown, setShown] = useState<string | null>(null);
  const counts = (one: Schema<'ImportView'>) => {
    return [
      one.waiting > 0 && t('common:opml.importing', { done: one.total - one.waiting, total: one.total }),
      ...(['added', 'present', 'failed'] as const).map(
        (outcome) => one[outcome] > 0 && t(`common:opml.${outcome}`, { count: one[outcome] }),
      ),
    ]
      .filter(Boolean)
      .join(' · ');
  };
  return (
    <>
      <QueryRows query={useQuery(importsQuery)} of={(all) => all} empty={t('opml.none')}>
        {(one) => (
          <Row
            key={one.id}
            title={<Time at={one.created_at} style="long" />}
            details={counts(one) || t('common:opml.noFeeds')}
            action={
              <Button size="sm" onClick={() => setShown(one.id)}>
                {t('opml.details')}
              </Button>
            }
          />
        )}
      </QueryRows>
      <Dialog isOpen={shown !== null} onClose={() => setShown(null)} title={t('opml.details')}>
        <DialogBody>{shown && <ImportProgress id={shown} />}</DialogBody>
      </Dialog>
    </>
  );
}

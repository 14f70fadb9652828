import './words';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { subscriptionsQuery } from '@/shared/api/subscriptions';
import { Page } from '@/shared/layout/page';
import { OpmlImport } from '@/shared/opml/opml-import';
import { Button } from '@/shared/ui/button';
import { Input, urlInput } from '@/shared/ui/form-field';
import { Section } from '@/shared/ui/section';
import { toast } from '@/shared/ui/toast-store';
import { textOf } from '@/shared/ui/use-submit';
import { StarterList } from './starter-list';

/** For users without feeds: add an address, import a file, or choose from a list. */
export function WelcomePage() {
  const { t } = useTranslation(['welcome', 'common']);
  const navigate = useNavigate();
  const hasFeeds = (useQuery(subscriptionsQuery).data?.length ?? 0) > 0;
  const onFinished = () => toast({ message: t('common:opml.finished') });
  const look = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const add = textOf(new FormData(event.currentTarget), 'address');
    // The dialog over every page looks for the feeds and shows what it finds.
    if (add) void navigate({ to: '.', search: { add } });
  };
  return (
    <Page
      title={t('title')}
      actions={
        <Button asChild look={hasFeeds ? 'primary' : 'quiet'} size="sm">
          <Link to="/" search={{ filter: 'all' }}>
            {t(hasFeeds ? 'enough' : 'skip')}
          </Link>
        </Button>
      }
    >
      <p className="border-ink border-t-[3px] pt-4 font-semibold text-3xl tracking-tight">{t('headline')}</p>
      <p className="mt-2 mb-8 border-line border-b pb-5 text-ink-2">{t('lead')}</p>

      <Section title={t('address.title')} text={t('address.text')}>
        <form onSubmit={look} className="flex gap-2 max-md:flex-col">
          <Input
            name="address"
            aria-label={t('address.label')}
            placeholder={t('address.placeholder')}
            {...urlInput}
            required
          />
          <Button type="submit" look="primary" size="field">
            {t('address.submit')}
          </Button>
        </form>
      </Section>
      <Section title={t('opml.title')} text={t('opml.text')}>
        <OpmlImport onFinished={onFinished} />
      </Section>
      <Section title={t('starters.title')} text={t('starters.text')}>
        <StarterList onFinished={onFinished} />
      </Section>
    </Page>
  );
}

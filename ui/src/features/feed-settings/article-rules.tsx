import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body, done, type Schema } from '@/shared/api/client';
import { expireTexts } from '@/shared/api/items';
import { ArticleText } from '@/shared/content/article-text';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import { FormField } from '@/shared/ui/form-field';
import { Notice } from '@/shared/ui/notice';
import { SkeletonLines } from '@/shared/ui/skeleton';
import { useSubmit } from '@/shared/ui/use-submit';

type Rules = Schema<'ArticleRulesView'>;
const rulesKey = (feedId: string) => ['feeds', feedId, 'article-rules'];
/** The preview follows when typing pauses. */
const PAUSE_MS = 800;

/** Selectors that correct a wrong whole text, with a preview. They are loaded when this is opened. */
export function ArticleRules({ feedId }: { feedId: string }) {
  const { t } = useTranslation('reader');
  const [isOpen, setOpen] = useState(false);
  const path = { id: feedId };
  const rules = useQuery({
    queryKey: rulesKey(feedId),
    queryFn: ({ signal }) => body(api.GET('/api/feeds/{id}/article-rules', { params: { path }, signal })),
    enabled: isOpen,
  });
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer font-medium text-sm">{t('feed.rules')}</summary>
      {isOpen && rules.data && <RulesForm feedId={feedId} stored={rules.data} />}
      {rules.error && <ErrorState error={rules.error} onRetry={() => rules.refetch()} isInline />}
    </details>
  );
}

function RulesForm({ feedId, stored }: { feedId: string; stored: Rules }) {
  const { t } = useTranslation(['reader', 'common']);
  const client = useQueryClient();
  const [rules, setRules] = useState(stored);
  const save = useSubmit<unknown, Rules>({
    request: (input) =>
      done(api.PUT('/api/feeds/{id}/article-rules', { params: { path: { id: feedId } }, body: input })),
    changes: [rulesKey(feedId)],
    onDone: () => expireTexts(client),
    message: t('feed.rulesSaved'),
    fields: ['content'],
  });
  return (
    <div className="mt-3 space-y-4">
      <FormField
        label={t('feed.rulesContent')}
        hint={t('feed.rulesContentHint')}
        placeholder=".post-body"
        value={rules.content}
        onChange={(event) => setRules({ ...rules, content: event.target.value })}
        spellCheck={false}
        autoCapitalize="off"
        error={save.problems.content}
      />
      <FormField
        kind="textarea"
        label={t('feed.rulesDrop')}
        hint={t('feed.rulesDropHint')}
        placeholder=".share-buttons"
        value={rules.drop}
        onChange={(event) => setRules({ ...rules, drop: event.target.value })}
        spellCheck={false}
        autoCapitalize="off"
      />
      {save.error && <ErrorState error={save.error} isInline />}
      <Button isBusy={save.isBusy} onClick={() => save.submit(rules)}>
        {t('feed.rulesSave')}
      </Button>
      <Preview feedId={feedId} rules={rules} />
    </div>
  );
}

function Preview({ feedId, rules }: { feedId: string; rules: Rules }) {
  const { t } = useTranslation('reader');
  const [asked, setAsked] = useState(rules);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(rules), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [rules]);
  const preview = useQuery({
    queryKey: [...rulesKey(feedId), 'preview', asked],
    queryFn: ({ signal }) =>
      body(api.POST('/api/feeds/{id}/article-preview', { params: { path: { id: feedId } }, body: asked, signal })),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <section
      aria-label={t('feed.rulesPreview')}
      aria-busy={preview.isFetching}
      className="rounded-lg border border-line p-4"
    >
      <p className="mb-3 truncate text-ink-3 text-sm">{preview.data?.link ?? t('feed.rulesPreview')}</p>
      {preview.error ? (
        <ErrorState error={preview.error} isInline />
      ) : preview.data?.html ? (
        <ArticleText html={preview.data.html} level={2} />
      ) : preview.data?.error_message ? (
        <Notice text={preview.data.error_message} />
      ) : (
        <SkeletonLines lines={4} />
      )}
    </section>
  );
}

import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body } from '@/shared/api/client';
import { itemKeys } from '@/shared/api/items';
import { type WatchedBlog, watchKeys } from '@/shared/api/watch';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import { FormField } from '@/shared/ui/form-field';
import { useSubmit } from '@/shared/ui/use-submit';
import { Fact } from './blog-state';
import { parseWords, wordsText } from './word-list';

/** The words that choose posts by their titles. The user edits those of own sites. */
export function WordsForm({ blog }: { blog: WatchedBlog }) {
  const { t } = useTranslation('watch');
  const [include, setInclude] = useState(wordsText(blog.include_words));
  const [exclude, setExclude] = useState(wordsText(blog.exclude_words));
  const save = useSubmit({
    request: () =>
      body(
        api.PUT('/api/watch/{id}/words', {
          params: { path: { id: blog.id } },
          body: { include: parseWords(include), exclude: parseWords(exclude) },
        }),
      ),
    changes: [watchKeys.all, itemKeys.lists],
    message: t('blog.wordsSaved'),
    fields: ['include', 'exclude'],
  });
  if (!blog.can_edit) {
    return (
      <dl className="space-y-1">
        <Fact name={t('blog.include')}>{blog.include_words.join(', ') || t('blog.noWords')}</Fact>
        <Fact name={t('blog.exclude')}>{blog.exclude_words.join(', ') || t('blog.noWords')}</Fact>
      </dl>
    );
  }
  return (
    <form onSubmit={save.onSubmit} className="space-y-4">
      <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
        <FormField
          kind="textarea"
          label={t('blog.include')}
          hint={t('blog.includeHint')}
          value={include}
          onChange={(event) => setInclude(event.target.value)}
          error={save.problems.include}
        />
        <FormField
          kind="textarea"
          label={t('blog.exclude')}
          hint={t('blog.excludeHint')}
          value={exclude}
          onChange={(event) => setExclude(event.target.value)}
          error={save.problems.exclude}
        />
      </div>
      {save.error && <ErrorState error={save.error} isInline />}
      <Button type="submit" isBusy={save.isBusy}>
        {t('blog.saveWords')}
      </Button>
    </form>
  );
}

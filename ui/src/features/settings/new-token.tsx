import { Check, Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body, type Schema } from '@/shared/api/client';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import { FormField } from '@/shared/ui/form-field';
import { Segmented } from '@/shared/ui/segmented';
import { useSubmit } from '@/shared/ui/use-submit';
import { accountKeys } from './queries';

type Scope = Schema<'Scope'>;

/** Creates a token and shows its secret once. */
export function NewToken() {
  const { t } = useTranslation('settings');
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('read');
  const create = useSubmit({
    request: () => body(api.POST('/api/users/me/tokens', { body: { name: name.trim(), scope } })),
    changes: [accountKeys.tokens],
    onDone: () => setName(''),
    fields: ['name'],
  });
  return (
    <div className="mb-8 space-y-4">
      <form onSubmit={create.onSubmit} className="flex flex-wrap items-end gap-3">
        <FormField
          label={t('tokens.name')}
          placeholder={t('tokens.namePlaceholder')}
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={100}
          required
          autoComplete="off"
          error={create.problems.name}
          className="min-w-48 flex-1"
        />
        <Segmented
          label={t('tokens.scope')}
          value={scope}
          onChange={setScope}
          options={[
            { value: 'read', label: t('tokens.read') },
            { value: 'write', label: t('tokens.write') },
          ]}
          className="h-10 max-md:h-auto"
        />
        <Button type="submit" look="primary" size="field" isBusy={create.isBusy}>
          {t('tokens.create')}
        </Button>
      </form>
      {create.error && <ErrorState error={create.error} isInline />}
      {create.data && <Secret token={create.data} onClose={() => create.reset()} />}
    </div>
  );
}

function Secret({ token, onClose }: { token: Schema<'NewTokenView'>; onClose: () => void }) {
  const { t } = useTranslation(['settings', 'common']);
  const [isCopied, setCopied] = useState(false);
  const secret = useRef<HTMLElement>(null);
  const copy = async () => {
    // Browsers have no clipboard for pages without TLS; then it is selected, for Ctrl+C.
    const isCopied = await navigator.clipboard?.writeText(token.token).then(
      () => true,
      () => false,
    );
    if (isCopied) setCopied(true);
    else if (secret.current) getSelection()?.selectAllChildren(secret.current);
  };
  return (
    <div role="status" className="rounded-lg border border-accent bg-accent-soft p-4">
      <p className="font-semibold">{t('tokens.createdTitle')}</p>
      <p className="text-ink-2 text-sm">{t('tokens.createdText')}</p>
      <code
        ref={secret}
        className="mt-3 block select-all rounded-md bg-surface px-3 py-2 font-mono text-sm [overflow-wrap:anywhere]"
      >
        {token.token}
      </code>
      <div className="mt-3 flex gap-2">
        <Button size="sm" look="primary" onClick={copy}>
          {isCopied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
          {t(isCopied ? 'common:copied' : 'common:copy')}
        </Button>
        <Button size="sm" onClick={onClose}>
          {t('common:close')}
        </Button>
      </div>
    </div>
  );
}

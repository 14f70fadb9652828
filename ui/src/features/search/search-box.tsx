import { useNavigate } from '@tanstack/react-router';
import { Search, X } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/shared/ui/icon-button';

/** The search starts after this pause in typing. */
const PAUSE_MS = 250;

/** The search box. Its text is written into the address of the page after a pause. */
export function SearchBox({ query }: { query: string }) {
  const { t } = useTranslation('reader');
  const navigate = useNavigate();
  const [text, setText] = useState(query);
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const sent = useRef(query);

  const send = (next: string) => {
    clearTimeout(timer.current);
    const q = next.trim();
    if (q === sent.current) return;
    sent.current = q;
    void navigate({ to: '/search', search: q ? { q } : {}, replace: true });
  };
  useEffect(() => {
    // The address has changed: "back", or a link to another search.
    if (query !== sent.current) {
      sent.current = query;
      setText(query);
    }
  }, [query]);
  useEffect(() => {
    box.current?.focus();
    return () => clearTimeout(timer.current);
  }, []);

  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(next), PAUSE_MS);
  };
  // Arrow down goes to the results. Esc leaves the box, so that keys are shortcuts again.
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') document.querySelector<HTMLElement>('#main [data-item] [data-title]')?.focus();
    else if (event.key === 'Escape') box.current?.blur();
    else return;
    event.preventDefault();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(text);
  };
  return (
    <search className="relative min-w-0 flex-1">
      <form onSubmit={submit}>
        <Search aria-hidden className="absolute top-1/2 left-0.5 size-[18px] -translate-y-1/2 text-ink-3" />
        <input
          ref={box}
          type="search"
          enterKeyHint="search"
          aria-label={t('search.label')}
          placeholder={t('search.placeholder')}
          maxLength={200}
          value={text}
          onChange={(event) => type(event.target.value)}
          onKeyDown={press}
          autoComplete="off"
          className="h-11 w-full rounded-md bg-transparent pr-10 pl-8 text-[max(16px,1rem)] outline-none md:text-base forced-colors:outline-2 [&::-webkit-search-cancel-button]:hidden"
        />
        {text !== '' && (
          <div className="absolute inset-y-0 right-0 flex items-center">
            <IconButton
              label={t('search.clear')}
              onClick={() => {
                setText('');
                send('');
                box.current?.focus();
              }}
            >
              <X />
            </IconButton>
          </div>
        )}
      </form>
    </search>
  );
}

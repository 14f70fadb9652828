import '@/shared/i18n/reader-words';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Destination } from '@/shared/layout/destinations';
import { cn } from '@/shared/lib/cn';
import { Dialog } from '@/shared/ui/dialog';
import { type Command, command, isAddress, match } from './match';
import { useCommands } from './use-commands';

type CommandPaletteProps = { destinations: readonly Destination[]; onClose: () => void };

/** Pages, feeds and actions by name: a box, and a list that gets shorter while the user types. */
export function CommandPalette({ destinations, onClose }: CommandPaletteProps) {
  const { t } = useTranslation('reader');
  const id = useId();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const found = useFound(query, destinations);
  const current = found[at];

  const run = (chosen: Command | undefined) => {
    if (!chosen) return;
    onClose();
    chosen.run();
  };
  const move = (to: number) => {
    const next = (to + found.length) % Math.max(found.length, 1);
    setAt(next);
    list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' });
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(at + 1);
    else if (event.key === 'ArrowUp') move(at - 1);
    else if (event.key === 'Enter') run(current);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog isOpen onClose={onClose} title={t('palette.title')} kind="top" isBare>
      <input
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={current && `${id}-${current.id}`}
        aria-autocomplete="list"
        aria-label={t('palette.title')}
        placeholder={t('palette.placeholder')}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        className="h-13 w-full shrink-0 border-line border-b bg-transparent px-5 text-lg outline-none"
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={t('palette.title')}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2"
      >
        {found.map((command, index) => (
          <div key={`${command.group}-${command.id}`} role="presentation">
            {command.group !== found[index - 1]?.group && (
              <p role="presentation" className="px-3 pt-2 pb-1 text-ink-3 text-xs">
                {t(`palette.groups.${command.group}`)}
              </p>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box, which keeps the focus */}
            <div
              id={`${id}-${command.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onClick={() => run(command)}
              onMouseMove={() => index !== at && setAt(index)}
              className={cn(
                'cursor-default truncate rounded-md px-3 py-1.5 max-md:min-h-11 max-md:py-3',
                index === at && 'chosen',
              )}
            >
              {command.label}
            </div>
          </div>
        ))}
      </div>
      <p aria-hidden className="shrink-0 border-line border-t px-5 py-2 text-ink-3 text-xs max-md:hidden">
        {t('palette.hint')}
      </p>
    </Dialog>
  );
}

/** What the query matches: commands, an address to add, and always a search in articles. */
function useFound(query: string, destinations: readonly Destination[]): Command[] {
  const { t } = useTranslation('reader');
  const navigate = useNavigate();
  const commands = useCommands(destinations);
  return useMemo(() => {
    const text = query.trim();
    // The group of the best match comes first.
    const found = match(commands, query);
    const groups = [...new Set(found.map(({ group }) => group))];
    const grouped = groups.flatMap((group) => found.filter((command) => command.group === group));
    if (text === '') return grouped;
    const add = command('actions', 'add-this', t('palette.addThis', { address: text }), () =>
      navigate({ to: '.', search: (search) => ({ ...search, add: text }) }),
    );
    const search = command('actions', 'search-for', t('palette.searchFor', { query: text }), () =>
      navigate({ to: '/search', search: { q: text } }),
    );
    return [...(isAddress(text) ? [add] : []), ...grouped, search];
  }, [query, commands, navigate, t]);
}

import { Link } from '@tanstack/react-router';
import { ArrowDownNarrowWide, ArrowDownWideNarrow, CheckCheck, Ellipsis, RefreshCw, Settings2 } from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ItemFilter, Scope } from '@/shared/api/items';
import { SidebarButton } from '@/shared/layout/sidebar-button';
import { usePreferences } from '@/shared/preferences/storage';
import { useChangePreferences } from '@/shared/preferences/sync';
import { Button } from '@/shared/ui/button';
import { IconButton } from '@/shared/ui/icon-button';
import { Menu, MenuChoices, MenuItem, MenuSeparator } from '@/shared/ui/menu';
import { Segmented } from '@/shared/ui/segmented';
import { useChangeScope } from './use-scope';

type ListBarProps = {
  title: string;
  unread: number;
  scope: Scope;
  isNarrow: boolean;
  onReload: () => void;
  onMarkAll: () => void;
};

/** The bar above the list: its title, its filter and order, and the actions for all items. */
export const ListBar = memo(function ListBar(props: ListBarProps) {
  const { title, unread, scope, isNarrow, onReload, onMarkAll } = props;
  const { t } = useTranslation(['reading', 'common']);
  const change = useChangeScope();
  const filters = (
    <Segmented<ItemFilter>
      label={t('list.filter')}
      value={scope.filter}
      onChange={(filter) => change({ filter })}
      options={(['all', 'unread', 'starred'] as const).map((value) => ({ value, label: t(`list.${value}`) }))}
      className={isNarrow ? 'flex [&_label]:flex-1' : 'shrink-0'}
    />
  );
  const isOldest = scope.order === 'oldest';
  const orderLabel = isOldest ? t('list.oldest') : t('list.newest');
  return (
    <header className="shrink-0 border-line border-b">
      <div className="flex h-12 items-center gap-1 pr-2 pl-5 max-md:pr-1 max-md:pl-4">
        <SidebarButton />
        <h1 className="min-w-0 truncate font-semibold">{title}</h1>
        {unread > 0 && scope.filter !== 'starred' && (
          <span className="tabular ml-1.5 text-ink-3 text-sm">
            <span aria-hidden>{unread > 999 ? '999+' : unread}</span>
            <span className="sr-only">{t('sidebar.unread', { count: unread })}</span>
          </span>
        )}
        <span className="flex-1" />
        {!isNarrow && filters}
        {!isNarrow && (
          <IconButton
            label={`${t('list.order')}: ${orderLabel}`}
            className="ml-1"
            onClick={() => change({ order: isOldest ? 'newest' : 'oldest' })}
          >
            {isOldest ? <ArrowDownNarrowWide /> : <ArrowDownWideNarrow />}
          </IconButton>
        )}
        <IconButton label={t('list.markAllRead')} shortcut="A" onClick={onMarkAll}>
          <CheckCheck />
        </IconButton>
        <ListMenu scope={scope} onReload={onReload} />
      </div>
      {isNarrow && scope.place.kind !== 'all' && <div className="px-4 pb-2">{filters}</div>}
    </header>
  );
});

function ListMenu({ scope, onReload }: { scope: Scope; onReload: () => void }) {
  const { t } = useTranslation(['reading', 'common']);
  const change = useChangeScope();
  const { density } = usePreferences();
  const prefer = useChangePreferences();
  const { place } = scope;
  return (
    <Menu
      trigger={
        <Button look="quiet" size="icon" aria-label={t('common:more')}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuItem onSelect={onReload} shortcut="r">
        <RefreshCw aria-hidden />
        {t('list.reload')}
      </MenuItem>
      {place.kind === 'feed' && (
        <MenuItem asChild>
          <Link to="." search={(search) => ({ ...search, edit: place.id })}>
            <Settings2 aria-hidden />
            {t('sidebar.feedSettings')}
          </Link>
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuChoices
        label={t('list.order')}
        value={scope.order}
        onChange={(order) => change({ order })}
        choices={(['newest', 'oldest'] as const).map((value) => ({ value, label: t(`list.${value}`) }))}
      />
      <MenuSeparator />
      <MenuChoices
        label={t('list.density')}
        value={density}
        onChange={(value) => prefer({ density: value })}
        choices={(['comfortable', 'compact'] as const).map((value) => ({ value, label: t(`list.${value}`) }))}
      />
    </Menu>
  );
}

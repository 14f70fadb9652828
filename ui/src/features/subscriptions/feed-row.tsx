import { Link } from '@tanstack/react-router';
import { CircleAlert, ExternalLink, FolderPlus, RefreshCw, Settings2 } from 'lucide-react';
import { memo, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useResume } from '@/shared/api/feeds';
import { languageOf } from '@/shared/content/prepare';
import { cn } from '@/shared/lib/cn';
import { FeedIcon } from '@/shared/ui/feed-icon';
import { MenuChoices, MenuItem, MenuSeparator } from '@/shared/ui/menu';
import { Tooltip } from '@/shared/ui/tooltip';
import { Count } from './count';
import { dragFeed } from './drag';
import { row, wholeRow } from './row';
import { RowMenu } from './row-menu';
import type { SidebarActions } from './sidebar-actions';
import type { Folder, Subscription } from './tree';
import { takeFocus, wantFocus } from './wanted-focus';

type FeedRowProps = {
  feed: Subscription;
  folders: readonly Folder[];
  actions: SidebarActions;
  onNewFolder: (feed: Subscription) => void;
  isIndented?: boolean;
};

export const FeedRow = memo(function FeedRow({ feed, folders, actions, onNewFolder, isIndented }: FeedRowProps) {
  const { t } = useTranslation('reading');
  const countId = useId();
  const ref = useRef<HTMLLIElement>(null);
  useEffect(() => takeFocus(ref.current, [feed.id]), [feed.id]);
  const moveTo = (value: string) => {
    wantFocus(feed.id);
    actions.moveFeed(feed, folders.find((folder) => folder.id === value) ?? null);
  };
  return (
    <li ref={ref} className={cn(row, isIndented && 'pl-7')} {...dragFeed(feed)}>
      <FeedIcon title={feed.feed_title} url={feed.favicon_url} />
      <Link
        to="/feeds/$feedId"
        params={{ feedId: feed.feed_id }}
        title={feed.feed_title}
        lang={languageOf(feed.feed_title)}
        aria-describedby={feed.unread_count > 0 ? countId : undefined}
        draggable={false}
        className={cn(
          wholeRow,
          feed.feed_status !== 'active' && 'flex-initial',
          feed.unread_count > 0 && 'font-medium text-ink',
        )}
      >
        {feed.feed_title}
      </Link>
      {feed.feed_status !== 'active' && <Trouble feed={feed} />}
      <RowMenu name={feed.feed_title}>
        <MenuItem asChild>
          <Link to="." search={(search) => ({ ...search, edit: feed.feed_id })}>
            <Settings2 aria-hidden />
            {t('sidebar.feedSettings')}
          </Link>
        </MenuItem>
        <MenuItem onSelect={() => actions.refresh(feed.feed_id)}>
          <RefreshCw aria-hidden />
          {t('sidebar.refresh')}
        </MenuItem>
        {feed.site_url && (
          <MenuItem asChild>
            <a href={feed.site_url} target="_blank" rel="noopener noreferrer">
              <ExternalLink aria-hidden />
              {t('sidebar.openSite')}
            </a>
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuChoices
          label={t('sidebar.moveTo')}
          value={feed.folder_id ?? ''}
          onChange={moveTo}
          choices={[
            ...folders.map((folder) => ({ value: folder.id, label: folder.name })),
            { value: '', label: t('sidebar.noFolder') },
          ]}
        />
        <MenuItem onSelect={() => onNewFolder(feed)}>
          <FolderPlus aria-hidden />
          {t('sidebar.inNewFolder')}
        </MenuItem>
      </RowMenu>
      <Count id={countId} count={feed.unread_count} className="ml-auto" />
    </li>
  );
});

/** The mark of a feed that cannot be fetched, with the reason. If the feed is stopped, a click resumes it. */
function Trouble({ feed }: { feed: Subscription }) {
  const { t } = useTranslation('reading');
  const resume = useResume();
  const isStopped = feed.feed_status === 'stopped';
  const reason = feed.error_message ?? t('sidebar.noReason');
  const words = isStopped ? t('sidebar.stopped', { reason }) : t('sidebar.failing', { reason });
  const look = 'relative z-1 grid size-6 shrink-0 place-items-center rounded-md max-md:size-11 [&_svg]:size-4';
  if (!isStopped) {
    return (
      <Tooltip text={words} isLabel>
        <span role="img" aria-label={words} className={cn(look, 'text-warn')}>
          <CircleAlert aria-hidden />
        </span>
      </Tooltip>
    );
  }
  return (
    <Tooltip text={words} isLabel>
      <button
        type="button"
        aria-label={`${words} ${t('sidebar.resume')}`}
        disabled={resume.isPending}
        onClick={({ currentTarget }) => {
          // The button disappears when the feed works again. The focus stays in the row.
          currentTarget.closest('li')?.querySelector('a')?.focus();
          resume.mutate(feed.id);
        }}
        className={cn(look, 'group/resume text-bad hover:bg-bad-soft')}
      >
        <CircleAlert aria-hidden className="group-hover/resume:hidden group-focus-visible/resume:hidden" />
        <RefreshCw aria-hidden className="hidden group-hover/resume:block group-focus-visible/resume:block" />
      </button>
    </Tooltip>
  );
}

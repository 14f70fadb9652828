import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Shortcuts } from '@/features/shortcuts/shortcuts';
import { ReaderWatch } from '@/features/subscriptions/reader-watch';
import { Sidebar } from '@/features/subscriptions/sidebar';
import { meQuery } from '@/shared/api/me';
import { usePanes } from '@/shared/layout/panes';
import { Problem } from '@/shared/lib/problem';
import { useServerPreferences } from '@/shared/preferences/sync';
import { Dialog } from '@/shared/ui/dialog';
import { ErrorState } from '@/shared/ui/error-state';
import { BottomBar } from './bottom-bar';
import { destinations } from './destinations';
import { LayoutDialogs } from './layout-dialogs';
import { LayoutSkeleton } from './layout-skeleton';
import { OfflineNotice } from './offline-notice';
import { Separator } from './separator';

/** The pages of a signed-in user. Shows nothing before the user is known, so that no page flashes. */
export function Layout() {
  const me = useQuery(meQuery);
  if (me.data) return <TwoPanes />;
  // On the way to the sign-in page.
  if (me.error instanceof Problem && me.error.status === 401) return null;
  if (me.error) {
    return (
      <main>
        <ErrorState isPage error={me.error} onRetry={() => me.refetch()} className="pt-[20dvh]" />
      </main>
    );
  }
  return <LayoutSkeleton />;
}

function TwoPanes() {
  const { t } = useTranslation();
  const { isNarrow, width, isCollapsed, isSheetOpen, closeSheet } = usePanes();
  const href = useLocation({ select: (location) => location.href });
  useServerPreferences();
  // biome-ignore lint/correctness/useExhaustiveDependencies: after every navigation
  useEffect(closeSheet, [href]);
  return (
    <div className="flex h-dvh flex-col pl-[env(safe-area-inset-left)]">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-lg focus:bg-accent focus:px-3 focus:py-2 focus:text-on-accent"
      >
        {t('skipToContent')}
      </a>
      <ReaderWatch />
      <Shortcuts destinations={destinations} />
      <div className="flex min-h-0 flex-1">
        {!isNarrow && !isCollapsed && (
          <div style={{ width }} className="relative min-w-0 shrink-0 border-line border-r bg-sunken">
            <Sidebar destinations={destinations}>
              <Separator />
            </Sidebar>
          </div>
        )}
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 pr-[env(safe-area-inset-right)] outline-none">
          <Outlet />
        </main>
      </div>
      <OfflineNotice />
      <LayoutDialogs />
      {isNarrow && (
        <>
          <BottomBar />
          <Dialog isOpen={isSheetOpen} onClose={closeSheet} title={t('feeds')} kind="sheet" isBare>
            <Sidebar destinations={destinations} />
          </Dialog>
        </>
      )}
    </div>
  );
}

import { PanelLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/icon-button';
import { usePanes } from './panes';

/** Shows the sidebar. There is no button while the sidebar is visible. */
export function SidebarButton() {
  const { t } = useTranslation();
  const { isNarrow, isCollapsed, toggleSidebar } = usePanes();
  if (!isNarrow && !isCollapsed) return null;
  return (
    <IconButton label={t('showSidebar')} onClick={toggleSidebar} className="-ml-2">
      <PanelLeft />
    </IconButton>
  );
}

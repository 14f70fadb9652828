import { PanelLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/icon-button';
import { usePanes } from './panes';

/** Brings the sidebar back where it is not to be seen; nothing where it is. */
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

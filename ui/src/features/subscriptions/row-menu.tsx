import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/shared/ui/button';
import { Menu } from '@/shared/ui/menu';

/** The menu of a row; its button appears under the pointer and with the focus, and is always there on touch screens. */
export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useTranslation('reading');
  return (
    <Menu
      trigger={
        <Button
          look="quiet"
          size="icon"
          aria-label={t('sidebar.menu', { name })}
          className="z-1 size-6 max-md:size-11 pointer-coarse:relative pointer-coarse:-mx-1 pointer-fine:absolute pointer-fine:right-1.5 pointer-fine:opacity-0 focus-visible:opacity-100 group-hover/row:opacity-100 aria-expanded:opacity-100"
        >
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      {children}
    </Menu>
  );
}

import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { usePreferences } from '@/shared/preferences/storage';
import { useChangePreferences } from '@/shared/preferences/sync';
import { Switch } from '@/shared/ui/form-field';
import { Row, Rows } from '@/shared/ui/section';

export function KeyboardSettings() {
  const { t } = useTranslation('settings');
  const id = useId();
  const { shortcuts } = usePreferences();
  const change = useChangePreferences();
  return (
    <Rows>
      <Row
        title={t('keyboard.title')}
        htmlFor={id}
        details={t('keyboard.hint')}
        action={<Switch id={id} checked={shortcuts} onChange={() => change({ shortcuts: !shortcuts })} />}
      />
    </Rows>
  );
}

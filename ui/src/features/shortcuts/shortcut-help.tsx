import { useTranslation } from 'react-i18next';
import { type Action, shortcuts } from '@/shared/keys/shortcuts';
import { Dialog, DialogBody } from '@/shared/ui/dialog';
import { pressed } from './pressed';

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);
const groups = Object.keys(shortcuts) as (keyof typeof shortcuts)[];

/** All shortcuts, from the table that `useKeys` uses. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('reading');
  return (
    <Dialog isOpen onClose={onClose} title={t('keys.title')} kind="wide">
      <DialogBody isReadOnly className="columns-2 gap-10 max-md:columns-1">
        {groups.map((group) => (
          <section key={group} className="mb-5 break-inside-avoid">
            <h3 className="mb-1.5 text-ink-3 text-sm">{t(`keys.groups.${group}`)}</h3>
            <dl>
              {(Object.entries(shortcuts[group]) as [Action, readonly string[]][]).map(([action, ways]) => (
                <div key={action} className="flex min-h-8 items-center justify-between gap-4 border-line border-b">
                  <dt>{t(`keys.${action}`)}</dt>
                  <dd className="flex shrink-0 items-center gap-1">
                    {ways.map((way, at) => (
                      <Way key={way} way={way} isFirst={at === 0} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </DialogBody>
    </Dialog>
  );
}

/** Keys that are pressed together or one after the other. The second and later ways have "or" before them. */
function Way({ way, isFirst }: { way: string; isFirst: boolean }) {
  const { t } = useTranslation('reading');
  const { keys, isSequence } = pressed(way, isMac);
  return (
    <>
      {!isFirst && <Between sign="/" word={t('keys.or')} />}
      {keys.map((key, at) => (
        <span key={key} className="contents">
          {at > 0 && <Between sign={isSequence ? '' : '+'} word={isSequence ? t('keys.andThen') : '+'} />}
          <kbd className="min-w-6 rounded-sm border border-line bg-sunken px-1.5 py-0.5 text-center font-sans text-ink-2 text-sm">
            {key}
          </kbd>
        </span>
      ))}
    </>
  );
}

/** A sign, and a word for screen readers. */
function Between({ sign, word }: { sign: string; word: string }) {
  return (
    <>
      {sign && (
        <span aria-hidden className="text-ink-3 text-sm">
          {sign}
        </span>
      )}
      <span className="sr-only">{word}</span>
    </>
  );
}

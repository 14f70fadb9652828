import { useTranslation } from 'react-i18next';
import { Dialog, DialogBody } from '@/shared/ui/dialog';

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

/** Keys by what they are for; several are one after the other, `/` between them is "or". */
const groups = [
  {
    name: 'items',
    keys: [
      ['nextOpen', ['j']],
      ['previousOpen', ['k']],
      ['next', ['n']],
      ['previous', ['p']],
      ['open', ['o', '/', 'Enter']],
      ['original', ['v']],
      ['read', ['m']],
      ['star', ['s']],
      ['close', ['Esc']],
    ],
  },
  {
    name: 'list',
    keys: [
      ['all', ['Shift', 'A']],
      ['reload', ['r']],
    ],
  },
  {
    name: 'places',
    keys: [
      ['goAll', ['g', 'a']],
      ['goUnread', ['g', 'u']],
      ['goStarred', ['g', 's']],
      ['nextFeed', ['Shift', 'J']],
      ['previousFeed', ['Shift', 'K']],
      ['search', ['/']],
      ['palette', [isMac ? '⌘' : 'Ctrl', 'K']],
      ['help', ['?']],
    ],
  },
] as const;

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('reading');
  return (
    <Dialog isOpen onClose={onClose} title={t('keys.title')} kind="wide">
      <DialogBody className="columns-2 gap-10 max-md:columns-1">
        {groups.map(({ name, keys }) => (
          <section key={name} className="mb-5 break-inside-avoid">
            <h3 className="mb-1.5 text-ink-3 text-sm">{t(`keys.groups.${name}`)}</h3>
            <dl>
              {keys.map(([what, names]) => (
                <div key={what} className="flex min-h-8 items-center justify-between gap-4 border-line border-b">
                  <dt>{t(`keys.${what}`)}</dt>
                  <dd className="flex items-center gap-1">
                    {names.map((key) =>
                      key === '/' && names.length > 1 ? (
                        <span key={key} aria-hidden className="text-ink-3 text-sm">
                          /
                        </span>
                      ) : (
                        <Key key={key} name={key} />
                      ),
                    )}
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

function Key({ name }: { name: string }) {
  return (
    <kbd className="min-w-6 rounded-sm border border-line bg-sunken px-1.5 py-0.5 text-center font-sans text-ink-2 text-sm">
      {name}
    </kbd>
  );
}

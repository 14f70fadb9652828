import './words';
import { Link, Navigate, useParams } from '@tanstack/react-router';
import { CircleUser, FileText, Info, Keyboard, KeyRound, type LucideIcon, ShieldCheck, SunMoon } from 'lucide-react';
import { type ComponentType, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { settings } from '@/shared/i18n/en/settings';
import { Page } from '@/shared/layout/page';
import { About } from './about';
import { Account } from './account';
import { Appearance } from './appearance';
import { FeedsAndFiles } from './feeds-and-files';
import { KeyboardSettings } from './keyboard-settings';
import { SignInMethods } from './sign-in-methods';
import { Tokens } from './tokens';

type Section = keyof (typeof settings)['sections'];

/** The sections in their order. */
const sections: Record<Section, { icon: LucideIcon; content: ComponentType }> = {
  appearance: { icon: SunMoon, content: Appearance },
  keyboard: { icon: Keyboard, content: KeyboardSettings },
  feeds: { icon: FileText, content: FeedsAndFiles },
  account: { icon: CircleUser, content: Account },
  'sign-in': { icon: ShieldCheck, content: SignInMethods },
  tokens: { icon: KeyRound, content: Tokens },
  about: { icon: Info, content: About },
};

const isSection = (name: string): name is Section => Object.hasOwn(sections, name);

/** All settings; which section is in the address. */
export function SettingsPage() {
  const { t } = useTranslation('settings');
  const { section } = useParams({ from: '/layout/settings/$section' });
  if (!isSection(section)) return <Navigate to="/settings/$section" params={{ section: 'appearance' }} replace />;
  const { content: Content } = sections[section];
  return (
    <Page title={t('title')} className="flex max-w-4xl gap-12 max-lg:flex-col max-lg:gap-6">
      <SectionLinks current={section} />
      <div className="min-w-0 flex-1">
        <h2 className="mb-6 border-ink border-t-[3px] pt-3 font-semibold text-xl">{t(`sections.${section}`)}</h2>
        <Content />
      </div>
    </Page>
  );
}

function SectionLinks({ current }: { current: Section }) {
  const { t } = useTranslation('settings');
  const list = useRef<HTMLUListElement>(null);
  // On phones the links are one long line.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another section is shown
  useEffect(() => {
    const link = list.current?.querySelector('[data-status=active]');
    link?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav aria-label={t('title')} className="shrink-0 lg:w-max lg:min-w-44">
      <ul
        ref={list}
        className="flex gap-0.5 max-lg:-mx-5 max-lg:overflow-x-auto max-lg:px-5 max-lg:pb-1 max-md:-mx-4 max-md:px-4 lg:sticky lg:top-8 lg:flex-col"
      >
        {(Object.keys(sections) as Section[]).map((name) => {
          const { icon: Icon } = sections[name];
          return (
            <li key={name}>
              <Link
                to="/settings/$section"
                params={{ section: name }}
                className="flex min-h-9 items-center gap-2.5 whitespace-nowrap rounded-md px-2.5 text-ink-2 hover:bg-hover data-[status=active]:chosen data-[status=active]:font-medium data-[status=active]:text-ink max-md:min-h-11"
              >
                <Icon aria-hidden className="size-4 shrink-0" />
                {t(`sections.${name}`)}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

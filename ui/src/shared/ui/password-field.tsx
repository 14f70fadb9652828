import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormField } from './form-field';

/** A field for a password, with a button that shows it. */
export function PasswordField(props: Omit<ComponentProps<typeof FormField<'input'>>, 'type'>) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  const label = t(isShown ? 'hidePassword' : 'showPassword');
  return (
    <FormField
      {...props}
      type={isShown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="off"
      end={
        <button
          type="button"
          aria-label={label}
          title={label}
          className="grid size-8 place-items-center rounded-md text-ink-3 hover:bg-hover hover:text-ink max-md:size-11 max-md:-mr-1"
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff aria-hidden className="size-4.5" /> : <Eye aria-hidden className="size-4.5" />}
        </button>
      }
    />
  );
}

import { useTranslation } from 'react-i18next';
import { Dialog } from '../ui/dialog';

export type ZoomedImage = Readonly<{ src: string; srcSet: string; alt: string; title: string }>;

/** An image as large as the window, with its words. A click, Esc or Enter closes it. */
export function ImageZoom({ image, onClose }: { image: ZoomedImage | null; onClose: () => void }) {
  const { t } = useTranslation('reading');
  if (!image) return null;
  const words = [...new Set([image.alt, image.title])].filter(Boolean);
  return (
    <Dialog isOpen onClose={onClose} title={image.alt || t('article.image')} kind="image" isBare>
      <button type="button" data-autofocus onClick={onClose} className="min-h-0 cursor-zoom-out">
        <span className="sr-only">{t('article.close')}</span>
        <img
          src={image.src}
          srcSet={image.srcSet || undefined}
          sizes="96vw"
          alt=""
          referrerPolicy="no-referrer"
          className="mx-auto max-h-[min(86dvh,100%)] max-w-full object-contain"
        />
      </button>
      {words.length > 0 && (
        <div className="max-h-[20dvh] shrink-0 overflow-y-auto px-4 py-2.5 text-center text-ink-2 text-sm">
          {words.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
    </Dialog>
  );
}

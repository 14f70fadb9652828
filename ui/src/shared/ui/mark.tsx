import { cn } from '../lib/cn';

/** The seal: 瓦, a roof tile, cut into a vermilion square. The same drawing as public/icon.svg. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={cn('by-default:size-6 shrink-0', className)}>
      <rect width="32" height="32" rx="7" className="fill-[#b5321b]" />
      <g className="fill-none stroke-[#fbf8f1] stroke-[2.9]">
        <path d="M5.2 8h21.6" />
        <path d="M12 8 9.3 24l5.9-2" />
        <path d="M11.3 13.1h9.1v8.4q0 2.8 2.7 2.8 2.9 0 2.9-2.9v-2.3" />
        <path d="m14.1 15.8 1.9 2.7" />
      </g>
    </svg>
  );
}

/** The seal and the word. */
export function Wordmark({ className }: { className?: string }) {
  return (
    <span className={cn('inline-flex items-center gap-2 font-semibold tracking-tight', className)}>
      <Mark />
      Kawaraban
    </span>
  );
}

import { type ClassValue, clsx } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

const merge = extendTailwindMerge({
  extend: { theme: { text: ['xs', 'sm', 'base', 'lg', 'xl', '2xl', '3xl'], shadow: ['float'] } },
});

/** Class names together; of two that contradict each other the later one counts. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}

import { type ClassValue, clsx } from 'clsx';

/**
 * Joins class names. It resolves no contradictions: a component writes `by-default:` before a class that its `className` may
 * replace (see base.css).
 */
export function cn(...classes: ClassValue[]): string {
  return clsx(classes);
}

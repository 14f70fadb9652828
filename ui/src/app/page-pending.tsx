import { Bone, SkeletonLines } from '@/shared/ui/skeleton';

/** Shown while the code of a page loads: its bar, and lines below. */
export function PagePending() {
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-12 shrink-0 items-center border-line border-b px-5 max-md:px-4">
        <Bone className="w-40" />
      </div>
      <SkeletonLines lines={5} className="mx-auto w-full max-w-3xl px-5 py-8 max-md:px-4 max-md:py-5" />
    </div>
  );
}

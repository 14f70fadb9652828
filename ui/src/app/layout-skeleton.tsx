import { Bone, Skeleton } from '@/shared/ui/skeleton';

const rows = ['w-2/3', 'w-1/2', 'w-3/5', 'w-2/5', 'w-1/2', 'w-3/5', 'w-2/5', 'w-1/2'];

/** Both panes while they load. */
export function LayoutSkeleton() {
  return (
    <Skeleton className="flex h-dvh">
      <div className="w-[264px] space-y-5 bg-sunken p-4 max-md:hidden">
        <Bone className="mb-8 h-5 w-1/2" />
        {rows.map((width, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity and never move
          <Bone key={row} className={width} />
        ))}
      </div>
      <div className="flex-1 space-y-7 p-6">
        <Bone className="mb-9 h-5 w-40" />
        {rows.map((width, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity and never move
          <div key={row} className="space-y-2.5">
            <Bone className={width} />
            <Bone className="h-3 w-4/5 opacity-60" />
          </div>
        ))}
      </div>
    </Skeleton>
  );
}

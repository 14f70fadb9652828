import { Bone, Skeleton } from '@/shared/ui/skeleton';

const widths = ['w-3/5', 'w-4/5', 'w-1/2', 'w-2/3'];

/** Rows on their way, where rows will be. */
export function ListSkeleton({ rows = 10 }: { rows?: number }) {
  return (
    <Skeleton>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity and never move
        <div key={row} className="flex h-16 flex-col justify-center gap-2.5 border-line border-b pr-14 pl-11">
          <Bone className={widths[row % widths.length]} />
          <Bone className="h-2.5 w-1/3" />
        </div>
      ))}
    </Skeleton>
  );
}

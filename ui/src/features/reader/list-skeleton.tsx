import { Bone, Skeleton } from '@/shared/ui/skeleton';

const widths = ['w-3/5', 'w-4/5', 'w-1/2', 'w-2/3'];

/** Stands in for rows that are loading, with their height. */
export function ListSkeleton({ rows = 10 }: { rows?: number }) {
  return (
    <Skeleton>
      {Array.from({ length: rows }, (_, row) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity and never move
          key={row}
          className="flex h-[calc(64rem/15)] items-center gap-2 border-line border-b pr-14 pl-[42px] max-md:h-[calc(84rem/15)] max-md:pl-[38px] in-data-[density=compact]:h-[calc(36rem/15)] in-data-[density=compact]:max-md:h-[calc(48rem/15)]"
        >
          <Bone className="-mt-5 size-4 shrink-0 rounded-[3px] in-data-[density=compact]:mt-0" />
          <div className="min-w-0 flex-1 space-y-2.5">
            <Bone className={widths[row % widths.length]} />
            <Bone className="h-2.5 w-1/3 opacity-60 in-data-[density=compact]:hidden" />
          </div>
        </div>
      ))}
    </Skeleton>
  );
}

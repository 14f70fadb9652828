import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body, type Schema } from '../api/client';

export const importKeys = {
  all: ['imports'] as const,
  one: (id: string) => [...importKeys.all, id] as const,
};

/** The latest imports. */
export const importsQuery = queryOptions({
  queryKey: importKeys.all,
  queryFn: ({ signal }) => body(api.GET('/api/opml/imports', { signal })),
  refetchInterval: ({ state: { data } }) => (data?.some((one) => one.waiting > 0) ? 1_000 : false),
});

/** An import, fetched every second until it is finished. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: importKeys.one(id),
    queryFn: ({ signal }) => body(api.GET('/api/opml/imports/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state: { data } }) => (data && data.waiting === 0 ? false : 1_000),
    staleTime: 0,
  });

/** Sends an OPML file. Returns the import, whose progress can be shown. */
export function useImportOpml() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (file: Blob): Promise<Schema<'ImportView'>> =>
      body(
        api.POST('/api/opml', {
          // The API document says text. The server takes bytes and detects their encoding.
          body: file as unknown as string,
          bodySerializer: (bytes) => bytes,
          headers: { 'content-type': 'application/octet-stream' },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: importKeys.all, exact: true }),
  });
}

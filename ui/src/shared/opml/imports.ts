import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body, type Schema } from '../api/client';

export const importKeys = {
  all: ['imports'] as const,
  one: (id: string) => [...importKeys.all, id] as const,
};

/** The latest files that were brought in. */
export const importsQuery = queryOptions({
  queryKey: importKeys.all,
  queryFn: ({ signal }) => body(api.GET('/api/opml/imports', { signal })),
  refetchInterval: ({ state: { data } }) => (data?.some((one) => one.waiting > 0) ? 1_000 : false),
});

/** A file on its way in, looked at again every second until nothing waits any more. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: importKeys.one(id),
    queryFn: ({ signal }) => body(api.GET('/api/opml/imports/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state: { data } }) => (data && data.waiting === 0 ? false : 1_000),
    staleTime: 0,
  });

/** Sends an OPML file; gives the import that can then be followed. */
export function useImportOpml() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (file: Blob): Promise<Schema<'ImportView'>> =>
      body(
        api.POST('/api/opml', {
          // The document says text, the server takes bytes as they are: it finds out the encoding by itself.
          body: file as unknown as string,
          bodySerializer: (bytes) => bytes,
          headers: { 'content-type': 'application/octet-stream' },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: importKeys.all, exact: true }),
  });
}

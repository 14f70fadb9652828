// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { renderUi } from '../../../tests/render';
import { Problem } from '../lib/problem';
import { QueryRows } from './query-list';

const problem = new Problem({ status: 500, code: 'internal', category: 'system', message: 'The server has a fault.' });
const idle = { data: undefined, error: null, refetch: vi.fn() };

function show(query: Parameters<typeof QueryRows<string[], string>>[0]['query']) {
  return renderUi(
    <QueryRows query={query} of={(all) => all} empty="Nothing yet.">
      {(one) => <li key={one}>{one}</li>}
    </QueryRows>,
  );
}

describe('QueryRows', () => {
  it('has four states', async () => {
    const { unmount } = show(idle);
    expect(screen.getByRole('status').textContent).toContain('Loading');
    unmount();
    const refetch = vi.fn();
    show({ ...idle, error: problem, refetch });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(refetch).toHaveBeenCalled();
    show({ ...idle, data: [] });
    expect(screen.getByText('Nothing yet.')).toBeTruthy();
    show({ ...idle, data: ['one', 'two'] });
    expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual(['one', 'two']);
  });

  it('has a button for the next page, and its error with a retry', async () => {
    const fetchNextPage = vi.fn();
    const query = { ...idle, data: ['one'], hasNextPage: true, fetchNextPage };
    const { unmount } = show(query);
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
    expect(fetchNextPage).toHaveBeenCalledTimes(1);
    unmount();
    show({ ...query, error: problem, isFetchNextPageError: true });
    expect(screen.getByText('The server has a fault.')).toBeTruthy();
    expect(screen.getByText('one')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(fetchNextPage).toHaveBeenCalledTimes(2);
  });
});

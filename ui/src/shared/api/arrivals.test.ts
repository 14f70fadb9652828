import { expect, it, vi } from 'vitest';
import { noteArrivals, onNewItems } from './arrivals';

it('tells what came once, whoever says it, and nothing of what was there before', () => {
  const heard = vi.fn();
  const end = onNewItems(heard);
  noteArrivals({ feed_id: 'a', items_added: 8 });
  expect(heard).not.toHaveBeenCalled();
  noteArrivals({ feed_id: 'a', items_added: 10 });
  noteArrivals({ feed_id: 'a', items_added: 10 });
  // An answer that was on its way for longer.
  noteArrivals({ feed_id: 'a', items_added: 8 });
  noteArrivals({ feed_id: 'b', items_added: 3 });
  noteArrivals({ feed_id: 'a', items_added: 11 });
  end();
  noteArrivals({ feed_id: 'a', items_added: 12 });
  expect(heard.mock.calls).toEqual([[{ feed_id: 'a', new_items: 2 }], [{ feed_id: 'a', new_items: 1 }]]);
});

// Texts that are written from right to left begin at the right, in the list and in the article.

import { expect, test } from '../support/story.ts';

test('title, meta line, bullets and quote bar are on the right side', async ({ reader, origin }) => {
  const { page } = reader;
  const feed = origin.feed({ title: 'Edo Gazette', items: 0 });
  feed.publish({
    title: 'خبر اليوم',
    author: 'ليلى',
    html: '<p>هذا نص عربي.</p><ul><li>أول</li></ul><ol><li>ثان</li></ol><blockquote>اقتباس</blockquote>',
  });
  await reader.subscribe(feed);
  await reader.open('/?filter=all');
  await reader.rows.getByRole('link', { expanded: false }).click();
  await expect(page.locator('.article-text')).toContainText('اقتباس');

  /** How far the text of an element is from the left and from the right edge of the article, in pixels. */
  const gaps = await page.locator('article').evaluate((article) => {
    const edges = article.querySelector('.article-text')!.getBoundingClientRect();
    const gap = (selector: string) => {
      const range = document.createRange();
      range.selectNodeContents(article.querySelector(selector)!);
      const { left, right } = range.getBoundingClientRect();
      return { left: left - edges.left, right: edges.right - right };
    };
    return {
      title: gap('[data-title]'),
      meta: gap('header time'),
      author: gap('header bdi'),
      bullet: gap('.article-text ul li'),
      number: gap('.article-text ol li'),
      quote: gap('.article-text blockquote'),
    };
  });
  for (const [part, { left, right }] of Object.entries(gaps)) expect(right, part).toBeLessThan(left);
  // The author comes first, at the right edge; the time is to the left of it.
  expect(gaps.author.right).toBeLessThan(gaps.meta.right);
  expect(Math.abs(gaps.author.right - gaps.title.right)).toBeLessThan(2);
  // There is room for bullets and numbers at the right, and none at the left.
  const room = await page.locator('.article-text').evaluate((text) =>
    ['ul', 'ol'].map((name) => {
      const { paddingLeft, paddingRight, direction } = getComputedStyle(text.querySelector(name)!);
      return { paddingLeft, hasRoom: Number.parseFloat(paddingRight) > 10, direction };
    }),
  );
  for (const one of room) expect(one).toEqual({ paddingLeft: '0px', hasRoom: true, direction: 'rtl' });
  const bar = await page.locator('.article-text blockquote').evaluate((quote) => {
    const { borderLeftWidth, borderRightWidth } = getComputedStyle(quote);
    return { left: Number.parseFloat(borderLeftWidth), hasBar: Number.parseFloat(borderRightWidth) >= 2 };
  });
  expect(bar).toEqual({ left: 0, hasBar: true });
});

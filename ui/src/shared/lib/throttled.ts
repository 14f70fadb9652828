/** A function that does the work once, this long after it is first called. Calls in between are part of that. */
export function throttled(ms: number, work: () => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      work();
    }, ms);
  };
}

/** Returns the last index whose time is not after a moment. */
export function rowAt(time, moment) {
  let low = 0, high = time.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (time[middle] <= moment) low = middle; else high = middle - 1;
  }
  return low;
}

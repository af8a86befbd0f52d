/**
 * Takes steps up to an end, in slices of about the same time: few steps at first, then as many as
 * fit. Between two slices the caller may do something else, or stop.
 * @param {number} from
 * @param {number} end
 * @param {number} time  of a slice, in ms
 * @param {(steps: number) => void} take
 */
export function* slices(from, end, time, take) {
  for (let step = from, size = 1; step < end; ) {
    const began = performance.now();
    const steps = Math.min(size, end - step);
    take(steps);
    step += steps;
    const took = performance.now() - began;
    if (took < time / 3) size *= 2;
    else if (took > time) size = Math.max(1, size >> 1);
    yield;
  }
}

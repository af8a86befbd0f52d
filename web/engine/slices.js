/**
 * Steps up to an end, in bites that each take about as long: few at first, then as many as fit. Between two, whoever
 * asked for them may do something else, or leave it at that.
 * @param {number} from
 * @param {number} end
 * @param {number} time  for a bite, in ms
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

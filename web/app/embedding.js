/**
 * An embedded page: tells the page around it its height, and learns how much room it has. A frame
 * may have a fixed height, into which the cells must fit. Or it follows the height that the page
 * reports: then nothing may depend on the frame's height, or the two would grow without end.
 */

/** The height, in CSS pixels, below which the introduction is hidden, so that the cells fit. */
const LOW = 440;

export function beEmbedded() {
  const root = document.documentElement;
  let told = 0;
  let isFollowing = false;
  const report = () => {
    const now = Math.ceil(document.body.getBoundingClientRect().height);
    if (now === told) return;
    told = now;
    parent.postMessage({ type: 'gradlock-height', height: now }, '*');
  };
  const fit = () => {
    // A frame that has once followed the reported height keeps doing so.
    isFollowing ||= told > 0 && Math.abs(innerHeight - told) < 2;
    root.classList.toggle('is-low', !isFollowing && innerHeight < LOW);
    if (isFollowing || innerHeight === 0) root.style.removeProperty('--room');
    else root.style.setProperty('--room', `${innerHeight}px`);
  };
  fit();
  addEventListener('resize', fit);
  new ResizeObserver(report).observe(document.body);
}

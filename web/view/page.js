/** Writes the constant words of the page. */

import { language, strings } from '../strings/index.js';
import { h } from './dom.js';

/** @param {(id: string) => HTMLElement} place */
export function writePage(place) {
  const { keys, loss, lesson } = strings;
  document.documentElement.lang = language;
  place('tagline').textContent = strings.tagline;
  place('skip').textContent = strings.skip;
  place('tour').textContent = lesson.start;
  place('test-key').append(h('span', { class: 'dots' }), loss.test);
  place('locks-key').append(h('span', { class: 'mark' }), loss.marker);
  // The offline file has no reference.
  document.querySelector('#reference a')?.replaceChildren(strings.reference);
  const [teachers] = place('teachers').children;
  teachers.textContent = strings.teach.title;
  const page = location.protocol === 'file:' ? 'gradlock-check' : 'check';
  teachers.setAttribute('href', `./${page}.html?lang=${language}`);
  document.querySelector('#licences > a, #licences > summary')?.replaceChildren(strings.licences);
  place('keys').prepend(
    h('h2', { class: 'section-title' }, keys.label),
    h(
      'dl',
      { class: 'key-list' },
      ...keys.list.map(([name, does]) => h('div', {}, h('dt', {}, name), h('dd', {}, does))),
    ),
  );
}

/** Writes the constant words of the page. */

import { language, strings } from '../strings/index.js';
import { byId, h } from './dom.js';

const CODE = `npm install gradlock

x.lock([[0, 1], [1, 0]]);
adam.minimize(loss, { variables: [x] });`;

export function writePage() {
  const { keys, loss, lesson } = strings;
  document.documentElement.lang = language;
  byId('tagline').textContent = strings.tagline;
  byId('skip').textContent = strings.skip;
  byId('tour').textContent = lesson.label;
  byId('locks-key').append(h('span', { class: 'mark' }), loss.marker);
  // The offline file has no reference.
  const links = document.querySelectorAll('#reference a');
  for (const [i, link] of links.entries()) link.textContent = strings.reference[i];
  const { colours, leaks, uses, library, label } = strings.about;
  byId('about').setAttribute('aria-label', label);
  byId('about').append(
    ...[colours, leaks, uses, library].map(([title, text]) =>
      h('div', { class: 'stack' }, h('h2', { class: 'note' }, title), h('p', {}, text)),
    ),
  );
  byId('about').children[1].append(h('p', { id: 'above' }));
  byId('about').children[3].append(h('pre', {}, CODE));
  const [teachers] = byId('teachers').children;
  teachers.textContent = strings.teach.title;
  const page = location.protocol === 'file:' ? 'gradlock-check' : 'check';
  teachers.setAttribute('href', `./${page}.html?lang=${language}`);
  document.querySelector('#licences > a, #licences > summary')?.replaceChildren(strings.licences);
  const list = keys.list.map(([name, does]) =>
    h('div', { class: 'row' }, h('dt', {}, name), h('dd', {}, does)),
  );
  byId('keys').prepend(h('h2', {}, keys.label), h('dl', { class: 'key-list' }, ...list));
}

/** The page for teachers: checks links that were handed in, and counts guesses. */

import { language, languages, strings, tables } from '../strings/index.js';
import { CheckLinks } from '../view/check-links.js';
import { byId, catchDrops, h } from '../view/dom.js';
import { Tally } from '../view/tally.js';
import { Checker } from './checker.js';
import { goOffline } from './offline.js';

/** The demo beside this page: of the site, or the offline file. */
const DEMO = location.protocol === 'file:' ? './gradlock-demo.html' : './';

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const showTheme = () => {
  document.documentElement.dataset.theme = prefersDark.matches ? 'dark' : 'light';
};
prefersDark.addEventListener('change', showTheme);
showTheme();

const checker = new Checker();
const links = new CheckLinks(byId('check'), {
  async check(entries, limit) {
    await checker.check(entries, limit, links);
    links.end();
  },
  cancel: () => checker.cancel(),
  // Whatever address a link names, its run opens in this demo.
  openLink(link) {
    const url = new URL(DEMO, location.href);
    url.searchParams.set('lang', language);
    url.hash = link.slice(link.indexOf('#'));
    return url.href;
  },
});
new Tally(byId('tally'));

const words = strings.teach;
document.documentElement.lang = language;
document.title = `gradlock: ${words.title}`;
byId('heading').textContent = words.title;
byId('lede').textContent = words.lede;
document.querySelector('#licences > a, #licences > summary')?.replaceChildren(strings.licences);
byId('back').append(
  h('a', { href: `${DEMO}?lang=${language}` }, words.demo),
  ...languages
    .filter((tag) => tag !== language)
    .map((tag) => h('a', { href: `?lang=${tag}`, lang: tag }, tables[tag].languageName)),
);

catchDrops((files) => links.take(files));
goOffline();

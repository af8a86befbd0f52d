/** Counts pasted or scanned codes of guesses, shows them as bars, and lists mistyped codes. */

import { readGuessCodes, tally } from '../state/guess-code.js';
import { sceneWords, strings } from '../strings/index.js';
import { button, h, setText, tools } from './dom.js';
import { formatCount, someOf } from './format.js';

/** The time between two images of the camera, in ms. */
const POLL_INTERVAL = 250;

/** The browser's reader of QR codes; it is in no standard that TypeScript knows. */
const Detector = () => /** @type {any} */ (globalThis).BarcodeDetector;

export class Tally {
  #field = h('textarea', {
    ...{ id: 'codes', rows: 4, spellcheck: 'false', autocomplete: 'off' },
    oninput: () => this.#draw(),
  });
  #count = h('p', { class: 'share-note note', role: 'status' });
  #bars = h('div', { class: 'bars stack' });
  #video;
  #camera;
  /** @type {MediaStream | null} */
  #stream = null;
  #isOn = false;
  /** The number of times that the camera was switched: results of an earlier switch are dropped. */
  #switches = 0;

  /** @param {HTMLElement} host */
  constructor(host) {
    const words = strings.teach;
    this.#video = h('video', { class: 'camera', 'aria-label': words.view, hidden: true });
    this.#video.muted = this.#video.playsInline = true;
    this.#camera = button(words.camera, () => (this.#isOn ? this.#stop() : this.#look()));
    addEventListener('pagehide', () => this.#stop());
    const hasCamera = Detector() && navigator.mediaDevices;
    host.append(
      h('h2', { class: 'note' }, words.tally),
      h('label', { for: 'codes' }, words.codes),
      this.#field,
      h('p', { class: 'hint' }, words.codesHint),
      tools(
        hasCamera ? this.#camera : null,
        button(words.clear, () => {
          this.#field.value = '';
          this.#draw();
        }),
      ),
      hasCamera ? this.#video : h('p', { class: 'hint' }, words.noCamera),
      this.#count,
      this.#bars,
    );
  }

  async #look() {
    const words = strings.teach;
    const at = ++this.#switches;
    this.#isOn = true;
    setText(this.#camera, words.cameraOff);
    try {
      const reader = new (Detector())({ formats: ['qr_code'] });
      const video = { facingMode: 'environment' };
      const stream = await navigator.mediaDevices.getUserMedia({ video });
      if (at !== this.#switches) return end(stream);
      this.#stream = stream;
      this.#video.srcObject = stream;
      this.#video.hidden = false;
      await this.#video.play();
      while (at === this.#switches) {
        const seen = await reader.detect(this.#video);
        this.#add(seen.map((/** @type {{ rawValue: string }} */ { rawValue }) => rawValue));
        await new Promise((done) => setTimeout(done, POLL_INTERVAL));
      }
    } catch {
      if (at !== this.#switches) return;
      this.#stop();
      setText(this.#count, words.cameraRefused);
    }
  }

  #stop() {
    this.#switches++;
    this.#isOn = false;
    end(this.#stream);
    this.#stream = null;
    this.#video.srcObject = null;
    this.#video.hidden = true;
    setText(this.#camera, strings.teach.camera);
  }

  /** Adds codes that are new. @param {string[]} texts */
  #add(texts) {
    const known = this.#field.value.toUpperCase();
    const fresh = texts.filter(
      (text) => readGuessCodes(text).guesses.length && !known.includes(text.toUpperCase()),
    );
    if (!fresh.length) return;
    this.#field.value = [this.#field.value.trimEnd(), ...fresh].filter(Boolean).join('\n');
    this.#draw();
  }

  #draw() {
    const { guesses, mistyped } = readGuessCodes(this.#field.value);
    const words = strings.teach;
    const told = [
      guesses.length ? words.counted(formatCount(guesses.length)) : '',
      mistyped.length ? words.mistyped(formatCount(mistyped.length), someOf(mistyped)) : '',
    ];
    setText(this.#count, told.join(' ').trim());
    const scenes = [...tally(guesses)].map(([scene, counts]) => barsOf(scene, counts));
    this.#bars.replaceChildren(...scenes);
  }
}

/** Switches a camera off. @param {MediaStream | null} stream */
function end(stream) {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** @param {string} scene @param {number[]} counts of each answer */
function barsOf(scene, counts) {
  const words = sceneWords(scene);
  const { question = '', answers = [] } = words.guess ?? {};
  const all = counts.reduce((sum, count) => sum + count, 0);
  const bars = counts.flatMap((count, at) => {
    const isKnown = at < answers.length;
    if (!isKnown && !count) return [];
    const answer = isKnown ? answers[at] : String.fromCodePoint(65 + at);
    const share = `${Math.round((100 * count) / all)} %`;
    const text = strings.teach.bar(answer, formatCount(count), share);
    const meter = h('meter', { min: 0, max: all, value: count, 'aria-label': text });
    return h('li', { class: 'stack' }, h('span', { class: 'bar-text' }, text), meter);
  });
  const list = h('ul', { class: 'bar-list stack' }, ...bars);
  return h('section', {}, h('h3', {}, words.name), h('p', { class: 'hint' }, question), list);
}

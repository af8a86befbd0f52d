/* A notebook as a class has it: a folder with docs/notebooks in it, in real JupyterLab, opened in
 * Chromium. It runs from the virtual environment of `make notebooks`. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../../browser/chromium.js';
import { PATIENCE } from '../../browser/lease.js';
import { serve } from '../../consumers/kit/commands.js';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
const bin = join(root, 'build/notebooks/bin');

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

/** A folder with what a teacher copies. No setting of the person who runs the tests has a say. */
function classroom() {
  const folder = mkdtempSync(join(tmpdir(), 'gradlock-notebooks-'));
  const work = join(folder, 'work');
  cpSync(join(root, 'docs/notebooks'), work, { recursive: true });
  const env = {
    GRADLOCK_URL: join(root, 'build/npm/grid.js'),
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    JUPYTER_CONFIG_DIR: join(folder, 'config'),
    JUPYTER_DATA_DIR: join(folder, 'data'),
    JUPYTER_RUNTIME_DIR: join(folder, 'runtime'),
    JUPYTERLAB_SETTINGS_DIR: join(folder, 'settings'),
    JUPYTERLAB_WORKSPACES_DIR: join(folder, 'workspaces'),
    IPYTHONDIR: join(folder, 'ipython'),
  };
  /** @param {string} path @param {unknown} value */
  const write = (path, value) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof value === 'string' ? value : JSON.stringify(value));
  };
  const end = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return { folder, work, env, write, end };
}

/**
 * A notebook of code cells.
 * @param {string[]} cells
 */
export const notebookOf = (cells) => ({
  cells: cells.map((source, i) => ({
    cell_type: 'code',
    execution_count: null,
    id: `cell-${i}`,
    metadata: {},
    outputs: [],
    source,
  })),
  metadata: { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' } },
  nbformat: 4,
  nbformat_minor: 5,
});

/**
 * Open a notebook in JupyterLab.
 * @param {string} name Of a file of the classroom's work folder.
 * @param {{ files?: Record<string, unknown>, theme?: string }} [options]
 */
export async function openLab(name, { files = {}, theme = 'JupyterLab Light' } = {}) {
  const room = classroom();
  for (const [path, value] of Object.entries(files)) room.write(`work/${path}`, value);
  const settings = 'settings/@jupyterlab/apputils-extension';
  room.write(`${settings}/themes.jupyterlab-settings`, { theme });
  room.write(`${settings}/notification.jupyterlab-settings`, {
    fetchNews: 'false',
    checkForUpdates: false,
  });
  const token = randomUUID();
  const args = [
    ...['--no-browser', '--LabApp.extension_manager=readonly'],
    ...['--allow-root', '--ip=127.0.0.1', '--port=0', `--notebook-dir=${room.work}`],
    ...[`--IdentityProvider.token=${token}`, '--LabApp.expose_app_in_browser=True'],
  ];
  const options = { cwd: room.work, env: room.env };
  const says = /(http:\/\/127\.0\.0\.1:\d+)\/lab/;
  const server = await serve(join(bin, 'jupyter-lab'), args, options, says);
  const browser = await launchChromium();
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${server.url}/lab/tree/${name}?token=${token}`);
  const lab = new Lab(page);
  await lab.until("jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'");
  return Object.assign(lab, {
    server,
    write: room.write,
    async close() {
      await browser.close();
      server.stop();
      room.end();
    },
  });
}

/** Waits for conditions on a page. @param {Page} page */
const waiting = (page) => async (/** @type {string} */ expression) => {
  const end = performance.now() + PATIENCE;
  while (!(await page.evaluate(expression).catch(() => false))) {
    assert.ok(performance.now() < end, `in time: ${expression}`);
    await page.waitForTimeout(30);
  }
};

class Lab {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.until = waiting(page);
  }

  /** Run a command of JupyterLab's menus. @param {string} name @param {object} [args] */
  command(name, args = {}) {
    const call = `jupyterapp.commands.execute(${JSON.stringify(name)}, ${JSON.stringify(args)})`;
    return this.page.evaluate(`${call}.then(() => null)`);
  }

  /** Run all cells, and say what went wrong in them. */
  async runAll() {
    await this.command('notebook:run-all-cells');
    const errors = this.page.locator(
      '.jp-RenderedText[data-mime-type="application/vnd.jupyter.stderr"]',
    );
    assert.deepEqual(await errors.allTextContents(), []);
  }

  /** Run code in the notebook's kernel: what it printed. @param {string} code @returns {Promise<string>} */
  async run(code) {
    const { text, error } = await this.page.evaluate(`(async () => {
      const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
      const future = kernel.requestExecute({ code: ${JSON.stringify(code)} });
      let text = '', error = null;
      future.onIOPub = ({ header, content }) => {
        if (header.msg_type === 'stream') text += content.text;
        if (header.msg_type === 'error') error = content.evalue;
      };
      await future.done;
      return { text: text.trim(), error };
    })()`);
    assert.equal(error, null, `${code}\n${error}`);
    return text;
  }

  /** Wait until an expression of Python is true. @param {string} expression */
  async untilPython(expression) {
    const end = performance.now() + PATIENCE;
    while ((await this.run(`print(bool(${expression}))`)) !== 'True') {
      assert.ok(performance.now() < end, `in time: ${expression}`);
    }
  }

  /** A grid on the page by its label. @param {string} label */
  grid(label) {
    return this.page.locator(`gradlock-grid[label="${label}"]`);
  }
}
